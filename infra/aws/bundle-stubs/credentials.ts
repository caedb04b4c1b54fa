import { fromEnv } from '@aws-sdk/credential-provider-env';

/** Instead of `@aws-sdk/credential-provider-node`: credentials from the environment, where Lambda puts them, and nowhere else. */
export const defaultProvider = fromEnv;
