/** Runs workers that do the work of a task for schemas, beside each other and beside the caller. */
export interface SchemaWorkers {
	/**
	 * Starts a worker for some schemas. Resolves when it was started; it need not have ended.
	 * @throws Error when it could not be started
	 */
	start(schemas: readonly string[]): Promise<void>;
}
