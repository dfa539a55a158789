package org.berth.environment;

/**
 * Where an environment lives and what it is made of. Source: the reference's {@code Placement}.
 *
 * @param gateway selects the driver: {@code local}, {@code podman:<absolute socket>}, else an OpenShell gateway
 * @param workspace the provider's workspace
 * @param name 1 to 19 lower-case letters, digits or inner hyphens
 * @param image a reference that ends in {@code @sha256:} and 64 lower-case hex digits
 * @param provider the provider's reference of the credentials; never a credential
 * @param policy absolute host path of the policy file
 * @param policySha256 the policy file's digest when it was selected; null before that
 */
public record EnvironmentPlacement(
        String gateway,
        String workspace,
        String name,
        String image,
        String provider,
        String policy,
        String policySha256) {
    public EnvironmentPlacement withPolicySha256(String digest) {
        return new EnvironmentPlacement(gateway, workspace, name, image, provider, policy, digest);
    }
}
