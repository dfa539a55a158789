package org.berth.environment.service;

import jakarta.enterprise.inject.Instance;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.berth.activity.ActivityGrants;
import org.berth.activity.WorkGrants;

/** Remembers which grants were revoked. */
final class MemoryGrants {
    final List<String> revoked = new ArrayList<>();

    Instance<WorkGrants> work() {
        return instance(new WorkGrants() {
            @Override
            public ActivityGrants.Issued issue(String name, String seat, List<String> rigs, String issuedBy) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void revoke(String name, String reason) {
                revoked.add(name);
            }
        });
    }

    Instance<ActivityGrants> activity() {
        return instance(new ActivityGrants() {
            @Override
            public Issued issue(String nodeId, String generation, String issuedBy) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void revoke(String grantId, String reason) {
                revoked.add(grantId);
            }
        });
    }

    @SuppressWarnings("unchecked")
    private static <T> Instance<T> instance(T bean) {
        return (Instance<T>) Proxy.newProxyInstance(
                MemoryGrants.class.getClassLoader(),
                new Class<?>[] {Instance.class},
                (_, method, _) -> switch (method.getName()) {
                    case "isResolvable" -> true;
                    case "get" -> bean;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
