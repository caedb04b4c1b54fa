import { fromEnv } from '@aws-sdk/credential-provider-env';

/** Replaces `@aws-sdk/credential-provider-node`. Lambda puts credentials into the environment, so no other source is tried. */
export const defaultProvider = fromEnv;
