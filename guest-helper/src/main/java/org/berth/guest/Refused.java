package org.berth.guest;

/** The helper refuses a request; the code is its whole reply. */
public final class Refused extends RuntimeException {
    /** Codes of refusals. Source: the reference's helper. */
    public enum Code {
        ROOT_INVALID("environment_root_invalid"),
        PATH_OUTSIDE_ROOT("environment_path_outside_root"),
        PATH_INVALID("environment_path_invalid"),
        SYMLINK("environment_symlink"),
        FILE_MISSING("environment_file_missing"),
        FILE_INVALID("environment_file_invalid"),
        STAGE_EXISTS("environment_stage_exists"),
        PROJECTION_CONFLICT("environment_projection_conflict"),
        PROJECTION_CHANGED("environment_projection_changed"),
        DESCRIPTOR_INVALID("environment_descriptor_invalid"),
        NATIVE_IDENTITY_INVALID("environment_native_identity_invalid"),
        CHECKPOINT_INVALID("environment_checkpoint_invalid"),
        CHECKPOINT_IDENTITY_MISMATCH("environment_checkpoint_identity_mismatch"),
        CHECKPOINT_CHANGED("environment_checkpoint_changed"),
        CHECKPOINT_INCOMPLETE("environment_checkpoint_incomplete"),
        PREPARATION_EXPIRED("environment_preparation_expired"),
        ACTIVITY_PROJECTION_INVALID("environment_activity_projection_invalid"),
        NATIVE_CHANGED("environment_native_changed"),
        NATIVE_UNCONFIRMED("environment_native_unconfirmed"),
        NATIVE_ALREADY_SELECTED("environment_native_already_selected"),
        PROVIDER_REFERENCE_MISSING("environment_provider_reference_missing"),
        GUEST_UNCONFIRMED("environment_guest_unconfirmed");

        private final String wire;

        Code(String wire) {
            this.wire = wire;
        }

        public String wire() {
            return wire;
        }
    }

    private final Code code;

    public Refused(Code code) {
        super(code.wire(), null, false, false);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
