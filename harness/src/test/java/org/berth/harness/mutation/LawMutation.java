package org.berth.harness.mutation;

/**
 * One way to break a law in the production code.
 *
 * @param law the name of the property
 * @param testClass the full name of the class that holds it
 * @param module whose file it is, below the project's root
 * @param productionFile below the module's {@code src/main/java}
 * @param text stands in the file exactly once
 * @param replacement what breaks the law
 */
record LawMutation(
        String law, String testClass, String module, String productionFile, String text, String replacement) {
    @Override
    public String toString() {
        return law + ": " + text + " -> " + replacement;
    }
}
