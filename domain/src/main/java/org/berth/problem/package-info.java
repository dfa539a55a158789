/**
 * The one error model: {@link org.berth.problem.ProblemCode} names what went wrong, {@link
 * org.berth.problem.BerthException} carries it. Entry point: {@code BerthException}. Depends on java.base only.
 */
package org.berth.problem;
