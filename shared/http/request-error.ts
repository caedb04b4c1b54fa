/** A request that is refused before the domain hears of it. */
export class RequestError extends Error {
	override readonly name = 'RequestError';
	readonly status: 400 | 403 | 413 | 415;
	/** The key of the answer: the field, or `request`. */
	readonly field: string;

	constructor(status: RequestError['status'], field: string, message: string, options?: ErrorOptions) {
		super(message, options);
		this.status = status;
		this.field = field;
	}
}
