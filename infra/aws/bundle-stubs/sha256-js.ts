/** Instead of the SDK's SHA-256 in JavaScript, for where `node:crypto` has none: Lambda's has. */
export const Sha256Js = undefined;
