/** Where a handler writes what an operator must know. Fields never hold a token, a secret or a body. */
export interface Log {
	info(message: string, fields: Readonly<Record<string, unknown>>): void;
	error(message: string, fields: Readonly<Record<string, unknown>>): void;
}
