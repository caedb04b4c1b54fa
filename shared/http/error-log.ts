import * as v from 'valibot';

/** Longest message of one error, in characters: some servers answer with pages. */
const maxMessageLength = 1000;

/** So many causes of causes are told, and so many frames of each. */
const maxDepth = 6;

const maxFrames = 20;

/**
 * What the log says of an error: name, code, message and stack, of its causes too, in lines. Its other properties are left out,
 * for clients hang requests, headers and bodies on their errors.
 */
export function formatError(error: unknown): string {
	return linesOf(error, 0).join('\n');
}

function linesOf(error: unknown, depth: number): readonly string[] {
	if (typeof error === 'string') return [error.slice(0, maxMessageLength)];
	if (!(error instanceof Error)) return [`${Object.prototype.toString.call(error)}, which is no error`];
	if (depth > maxDepth) return ['…'];
	const causes: readonly unknown[] = [
		...(error.cause === undefined ? [] : [error.cause]),
		...(error instanceof AggregateError ? error.errors : []),
	];
	const told = causes.flatMap((cause) => linesOf(cause, depth + 1).map((line, index) => (index === 0 ? `cause: ${line}` : line)));
	return [headOf(error), ...framesOf(error), ...told];
}

const headOf = (error: Error): string => `${error.name}${codeOf(error)}: ${messageOf(error).slice(0, maxMessageLength)}`;

/** A stack begins with the message, of which a line may look like a frame. */
const framesOf = ({ stack = '', message }: Error): readonly string[] =>
	stack
		.slice(stack.includes(message) ? stack.indexOf(message) + message.length : 0)
		.split('\n')
		.filter((line) => /^ {4}at /.test(line))
		.slice(0, maxFrames);

/** The system's own codes, such as ECONNREFUSED; what servers call their errors is in the message, if anywhere. */
const codeOf = (error: Error): string =>
	'code' in error && typeof error.code === 'string' && /^[A-Z][A-Z\d_]+$/.test(error.code) ? ` [${error.code}]` : '';

const messageOf = (error: Error): string => parsingMessageOf(error) ?? (isAnswer(error) ? 'what a server said' : error.message);

/** These quote what they could not parse, which may be a body: only where it went wrong is told. */
function parsingMessageOf(error: Error): string | undefined {
	if (error instanceof SyntaxError) return 'a text that could not be parsed';
	if (!v.isValiError(error)) return undefined;
	return error.issues
		.map((issue) => `${v.getDotPath(issue) ?? 'the value'}: expected ${issue.expected ?? issue.type}`)
		.join('; ');
}

/** Clients of HTTP services say in their errors what came over the network; their adapters tell what of it can be trusted. */
const isAnswer = (error: Error): boolean => '$metadata' in error || 'statusCode' in error;
