/** Replaces `./getInstanceMetadataRegion`. Lambda puts the region into the environment and has no metadata service to ask. */
export async function getInstanceMetadataRegion(): Promise<undefined> {}
