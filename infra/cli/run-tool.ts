import type { Command } from 'commander';
import pc from 'picocolors';
import { SecretError } from '#adapters/secret.ts';
import { DomainError } from '#domain/errors.ts';
import { SettingsError } from '#infra/aws/environment.ts';
import { ConfigError } from '#shared/config.ts';
import { awsErrorMessage } from './aws-error-message.ts';

/** Runs a tool for operators: what goes wrong is said in words, in a line, and the exit code is 1. */
export async function runTool(program: Command): Promise<void> {
	try {
		await program.parseAsync();
	} catch (error) {
		const words = wordsOf(error);
		if (words === null) throw error;
		process.stderr.write(`${pc.red(`${program.name()}: ${words}`)}\n`);
		process.exitCode = 1;
	}
}

/** What an operator is told of a failure; null for a bug, which is told whole. */
function wordsOf(error: unknown): string | null {
	if (error instanceof ConfigError || error instanceof SecretError || error instanceof SettingsError) return error.message;
	const words = awsErrorMessage(error);
	if (words !== null) return words;
	if (!(error instanceof DomainError)) return null;
	switch (error.code) {
		case 'write_contention':
			return 'The schema is written to all the time: run this again later.';
		case 'outcome_unknown':
			return `The store did not say whether it wrote (${error.message}): run this again, it goes on from there.`;
		case 'store_failed':
			return `The store failed (${error.message}): run this again, it goes on from there.`;
		default:
			return null;
	}
}
