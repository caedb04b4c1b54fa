import * as v from 'valibot';

/** In characters. Some servers send a whole page as their message. */
const maxMessageLength = 1000;
const maxCauseDepth = 6;
const maxFrames = 20;

/**
 * Formats an error for the log: name, code, message and stack, and the same of its causes. All other properties are left out,
 * because SDKs attach requests, headers and bodies to their errors.
 */
export function formatError(error: unknown): string {
	return linesOf(error).join('\n');
}

/** `depth`: how many errors come before this one in the chain of causes. */
function linesOf(error: unknown, depth = 0): readonly string[] {
	if (typeof error === 'string') return [error.slice(0, maxMessageLength)];
	if (!(error instanceof Error)) return [`Not an error: ${Object.prototype.toString.call(error)}`];
	if (depth > maxCauseDepth) return ['…'];
	const causes: readonly unknown[] = [
		...(error.cause === undefined ? [] : [error.cause]),
		...(error instanceof AggregateError ? error.errors : []),
	];
	const causeLines = causes.flatMap((cause) => {
		const [causeHead, ...causeTail] = linesOf(cause, depth + 1);
		return [`cause: ${causeHead}`, ...causeTail];
	});
	const head = `${error.name}${codeOf(error)}: ${safeMessageOf(error).slice(0, maxMessageLength)}`;
	return [head, ...framesOf(error), ...causeLines];
}

/** Returns a code of the operating system, such as ECONNREFUSED. Codes of servers are left out: they can hold any text. */
function codeOf(error: Error): string {
	return 'code' in error && typeof error.code === 'string' && /^[A-Z][A-Z\d_]+$/.test(error.code) ? ` [${error.code}]` : '';
}

/** Returns the message without text from a request or a server: parsers quote their input, SDKs quote the response. */
function safeMessageOf(error: Error): string {
	if (error instanceof SyntaxError) return '(message with unparsed text left out)';
	if (v.isValiError(error))
		return error.issues
			.map((issue) => `${v.getDotPath(issue) ?? 'the value'}: expected ${issue.expected ?? issue.type}`)
			.join('; ');
	return '$metadata' in error || 'statusCode' in error ? '(message of a server left out)' : error.message;
}

/** Skips the message at the start of the stack: one of its lines may look like a frame. */
function framesOf({ stack = '', message }: Error): readonly string[] {
	return stack
		.slice(stack.includes(message) ? stack.indexOf(message) + message.length : 0)
		.split('\n')
		.filter((line) => /^ {4}at /.test(line))
		.slice(0, maxFrames);
}
