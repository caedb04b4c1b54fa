/** Instead of `@smithy/core/event-streams`, which the SDK loads for operations that stream events: none of ours does. */
export const EventStreamSerde = undefined;

export const eventStreamSerdeProvider = undefined;
