package org.berth.cli.command;

import org.berth.cli.Failure;

/** What a grant gives: a directory, a rig's work, the report of activity. */
enum GrantKind {
    RESOURCE,
    WORK,
    ACTIVITY;

    /** @throws Failure usage */
    static GrantKind of(String text) {
        return switch (text) {
            case "resource" -> RESOURCE;
            case "work" -> WORK;
            case "activity" -> ACTIVITY;
            default -> throw Failure.usage("--kind is resource, work or activity: " + text);
        };
    }

    /** Where these grants are. */
    String path() {
        return switch (this) {
            case RESOURCE -> "/api/placement/grants";
            case WORK -> "/api/grants/work";
            case ACTIVITY -> "/api/grants/activity";
        };
    }
}
