package org.berth.cli.terminal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * Handling of signals. The JDK has no supported way; {@code sun.misc.Signal} of module jdk.unsupported is used by name,
 * because the compiler refuses it. Where it is missing, signals keep their usual effect.
 */
public final class Signals {
    private Signals() {}

    /** Runs {@code action} on a thread of its own at each {@code name} (such as INT, WINCH). @return whether it will */
    public static boolean handle(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    handler.getClassLoader(),
                    new Class<?>[] {handler},
                    (self, method, arguments) -> switch (method.getName()) {
                        case "handle" -> {
                            action.run();
                            yield null;
                        }
                        case "hashCode" -> System.identityHashCode(self);
                        case "equals" -> self == arguments[0];
                        default -> "handler of " + name;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
            return true;
        } catch (ReflectiveOperationException e) {
            if (e instanceof InvocationTargetException && e.getCause() instanceof Error error) {
                throw error;
            }
            return false;
        }
    }
}
