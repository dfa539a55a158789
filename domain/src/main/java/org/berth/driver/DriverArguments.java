package org.berth.driver;

import java.util.List;
import java.util.Locale;
import org.berth.problem.BerthException;

/** The rule that a launch's own arguments decide nothing that the policy decides. Source: placement.md, Drivers. */
public final class DriverArguments {
    private static final String END_OF_OPTIONS = "--";

    private DriverArguments() {}

    /**
     * Refuses options that a driver reserves for the policy, in every spelling that some program takes: {@code --name},
     * {@code --name=value}, {@code -name} (Go), {@code --camelCase} (yargs), {@code --no-name}, {@code -nvalue} and
     * {@code -xyn} (short options in one word). What stands behind the end of the options is text.
     *
     * @param argv the launch's arguments, without what the driver itself puts before them
     * @throws BerthException INVALID that names {@code launch.argv[i]} and the option, without its value
     */
    public static void requireFree(DriverDefinition definition, List<String> argv) {
        for (int i = 0; i < argv.size(); i++) {
            if (endsOptions(argv, i)) {
                return;
            }
            for (String reserved : definition.reservedOptions()) {
                if (isSpelling(argv.get(i), reserved)) {
                    throw BerthException.invalid("launch.argv[" + i + "] is " + reserved + ", which only the policy of"
                            + " driver " + definition.name() + " decides; remove it");
                }
            }
        }
    }

    /** A {@code --} right behind an option without {@code =} may be that option's value, and then ends nothing. */
    private static boolean endsOptions(List<String> argv, int at) {
        if (!argv.get(at).equals(END_OF_OPTIONS)) {
            return false;
        }
        String before = at == 0 ? "" : argv.get(at - 1);
        return !before.startsWith("-") || before.indexOf('=') > 0;
    }

    private static boolean isSpelling(String argument, String reserved) {
        if (!argument.startsWith("-") || argument.equals(END_OF_OPTIONS)) {
            return false;
        }
        if (reserved.startsWith(END_OF_OPTIONS)) {
            String name = plain(argument);
            return name.equals(plain(reserved)) || name.equals("no" + plain(reserved));
        }
        return !argument.startsWith(END_OF_OPTIONS) && isShort(argument, reserved.charAt(1));
    }

    private static boolean isShort(String argument, char option) {
        return argument.length() > 1
                && (argument.charAt(1) == option
                        || argument.indexOf(option) > 0
                                && argument.substring(1).chars().allMatch(Character::isLetter));
    }

    private static String plain(String option) {
        int value = option.indexOf('=');
        return (value < 0 ? option : option.substring(0, value))
                .replace("-", "")
                .toLowerCase(Locale.ROOT);
    }
}
