/** Replaces `@smithy/core/event-streams`: no operation that the functions call streams events. */
export const EventStreamSerde = undefined;
export const eventStreamSerdeProvider = undefined;

/** Replaces `./Sha256Js`, the SDK's SHA-256 for runtimes whose `node:crypto` has none. */
export const Sha256Js = undefined;

/** Replaces `../util-retry/AdaptiveRetryStrategy`: the clients keep the SDK's default retry mode, `standard`. */
export const AdaptiveRetryStrategy = undefined;
