package org.berth.placement;

/**
 * A directory that an attempt may use, as its authority resolved it: the authority's root and subpath replace the
 * caller's.
 *
 * @param name the request's name for it
 * @param grantRef the grant's id, or correlation data in mode host_configured
 * @param root absolute path of the root
 * @param subpath below the root, empty for the root itself
 */
public record ResolvedResource(
        String name, String grantRef, String root, String subpath, ResourceAccess access, ResourcePurpose purpose) {}
