/** A request that the HTTP layer refuses before it calls the domain. The message is sent to the client. */
export class RequestError extends Error {
	override readonly name = 'RequestError';
	readonly status: 400 | 403 | 413 | 415;
	/** The key of the message in the response's body: the name of a field, or `request`. */
	readonly field: string;

	constructor(status: RequestError['status'], field: string, message: string, options?: ErrorOptions) {
		super(message, options);
		this.status = status;
		this.field = field;
	}
}
