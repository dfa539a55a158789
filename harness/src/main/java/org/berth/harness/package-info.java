/**
 * The harness without a container: each package below holds one rule set, its pure model in {@code …model} beside it. Uses
 * the domain, JSON-P and JGit's ignore rules; knows no service, store or route.
 */
package org.berth.harness;
