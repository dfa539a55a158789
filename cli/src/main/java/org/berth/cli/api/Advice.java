package org.berth.cli.api;

/** What to do after a refusal on rigs, work and environments, by its stable code. Source: docs/errors.md. */
public final class Advice {
    private Advice() {}

    /** One sentence; null when the refusal's own sentence says it all. */
    public static String of(String code) {
        return switch (code) {
            case "sender_identity_required" -> "Name the acting seat with --as member@rig.";
            case "rig_missing" -> "`berth rig ls` lists the rigs.";
            case "rig_exists" -> "`berth rig rm RIG` removes the old one, or give the rig of this file another name.";
            case "seat_missing", "environment_node_missing" ->
                "`berth rig show RIG` lists its seats; `berth rig up FILE` makes a rig of a file.";
            case "environment_binding_missing" ->
                "`berth environment ls` lists them; `berth environment create` makes one.";
            case "environment_binding_exists", "environment_seat_bound", "environment_name_in_use" ->
                "`berth environment ls` shows who holds it.";
            case "environment_operation_changed" ->
                "Repeat the first request as it was, or give this one its own --operation.";
            case "snapshot_missing" -> "`berth rig snapshots RIG` lists them.";
            case "environment_predecessor_present" ->
                "Stop and delete it first: berth environment effect BINDING --effect delete-owned.";
            case "environment_exact_resume_required" ->
                "`berth rig restore SNAPSHOT` goes on with the saved conversation.";
            case "environment_checkpoint_missing" ->
                "Recreate the compute first, of a checkpoint: berth environment recreate BINDING --checkpoint ID.";
            case "environment_launch_unsupported" -> "Start that member yourself, for example with `berth run`.";
            case "environment_driver_unavailable",
                    "environment_path_denied",
                    "environment_provider_reference_missing",
                    "openshell_version_unsupported" -> "docs/environments.md tells how to prepare the host.";
            case "environment_generation_missing", "environment_generation_changed" ->
                "`berth environment inspect BINDING` shows the current generation.";
            case "artifact_caller_mismatch" -> "Name the item's owner or the seat that assigned it with --as.";
            case "artifact_task_mismatch", "work_item_missing" -> "`berth queue list` lists the items.";
            case "work_item_exists" -> "`berth queue show ITEM` shows what has this id.";
            case "work_transition_refused", "work_owner_mismatch" ->
                "`berth queue show ITEM` shows its state, its owner and what happened.";
            case "work_closure_required" -> "Say why with --reason, and for whom with --target.";
            default -> general(code);
        };
    }

    /** What to do after a notice of an admission, which begins with its code; null for an unknown one. */
    public static String ofNotice(String notice) {
        return notice.startsWith("LOGIN_REQUIRED")
                ? "Log in to the agent's program on the host, name a credential in the policy (host.yaml), or log in by"
                        + " hand: berth agent run --window --session S."
                : null;
    }

    private static String general(String code) {
        if (code.endsWith("_unconfirmed") || code.equals("openshell_listing_invalid")) {
            return "Nothing is known for sure. Repeat the same command; it looks before it acts.";
        }
        return code.startsWith("environment_") || code.startsWith("artifact_") || code.startsWith("openshell_")
                ? "`berth environment inspect BINDING --live` shows the present state."
                : null;
    }
}
