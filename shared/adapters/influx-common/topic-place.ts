/** The column that holds topics (shared/adapters/influx/README.md#topics). */
export interface TopicPlace {
	/** `_measurement`, or the name of a tag. */
	readonly topicColumn: string;
	/** The only measurement that is read when the topic is a tag. Left out: all measurements are read. */
	readonly measurement?: string | undefined;
}
