/** What an endpoint answers: a status, and a body that is sent as JSON. */
export interface Answer {
	readonly status: number;
	readonly body: unknown;
	/** Lower-case names. */
	readonly headers?: Readonly<Record<string, string>>;
}

/** A success. */
export const ok = (body: unknown, headers?: Answer['headers']): Answer => ({
	status: 200,
	body,
	...(headers === undefined ? {} : { headers }),
});
