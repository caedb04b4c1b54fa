import { inspect } from 'node:util';
import type { Command } from 'commander';
import { SecretError } from '#adapters/secret.ts';
import { DomainError, type ErrorCode } from '#domain/errors.ts';
import { ConfigError } from '#shared/config.ts';
import { awsErrorMessage } from './aws-error-message.ts';
import { coloursFor } from './colours.ts';
import { print, printLines } from './print.ts';

/** What an operator can do about an error of the domain, by its code. An error with any other code is a bug of the tool. */
const advice: { readonly [Code in ErrorCode]?: (message: string) => string } = {
	write_contention: () => 'Other writes kept changing the schema: run this again later.',
	outcome_unknown: (message) => `The store did not say whether it wrote (${message}): run this again to continue.`,
	store_failed: (message) => `The store failed (${message}): run this again to continue.`,
};

/** Runs an operators' tool. A failure that the operator can act on is printed as one line, with exit code 1. */
export async function runTool(program: Command): Promise<void> {
	try {
		await program.parseAsync();
	} catch (error) {
		const message = operatorMessage(error);
		// A bug of the tool is printed with its stack.
		if (message === null) printLines(inspect(error), process.stderr);
		else print(coloursFor(process.stderr).red(`${program.name()}: ${message}`), process.stderr);
		process.exitCode = 1;
	}
}

/** Returns the message for the operator, or null for a bug, whose stack is needed. */
export function operatorMessage(error: unknown): string | null {
	if (error instanceof ConfigError || error instanceof SecretError) return error.message;
	const message = awsErrorMessage(error);
	if (message !== null || !(error instanceof DomainError)) return message;
	const code: ErrorCode = error.code;
	return advice[code]?.(error.message) ?? null;
}
