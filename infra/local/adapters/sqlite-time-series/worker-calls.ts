import { parentPort, type Worker } from 'node:worker_threads';
import { DomainError, messageOf } from '#domain/errors.ts';
import { whileBusy } from '../sqlite/sqlite-fault.ts';

/**
 * The functions that a worker thread runs for the thread that started it, by name. `close` is the last one that it runs. `never` stands for
 * arguments and results of any type, which only `workerCalls` knows.
 */
type WorkerFunctions = Readonly<Record<string, (...args: never[]) => unknown>>;

interface CallMessage {
	readonly id: number;
	readonly name: string;
	readonly args: readonly never[];
}

type ReplyMessage = { readonly id: number; readonly result: never } | { readonly id: number; readonly fault: string };

interface PendingCall {
	readonly resolve: (result: never) => void;
	readonly reject: (error: Error) => void;
}

/** Makes calls to a worker thread that runs `serveCalls` with `Functions`. */
export function workerCalls<Functions extends WorkerFunctions>(worker: Worker) {
	const pending = new Map<number, PendingCall>();
	let lastId = 0;
	/** Why the thread takes no more calls; undefined while it does. */
	let endCause: string | undefined;

	const end = (cause: string): void => {
		endCause ??= cause;
		for (const { reject } of pending.values()) reject(failed(endCause));
		pending.clear();
	};
	const exited = new Promise<void>((resolve) => {
		worker.once('exit', (code) => {
			end(`the worker thread ended with exit code ${code}`);
			resolve();
		});
	});
	worker.on('error', (error: unknown) => end(`the worker thread failed: ${messageOf(error)}`));
	worker.on('messageerror', (error) => end(`a reply of the worker thread could not be read: ${error.message}`));
	worker.on('message', (reply: ReplyMessage) => {
		const call = pending.get(reply.id);
		pending.delete(reply.id);
		if ('fault' in reply) call?.reject(failed(reply.fault));
		else call?.resolve(reply.result);
	});

	return {
		/** @throws DomainError `dependency_failed` (tsdb) when the function throws or the thread has ended, before or during the call */
		call<Name extends keyof Functions & string>(
			name: Name,
			...args: Parameters<Functions[Name]>
		): Promise<ReturnType<Functions[Name]>> {
			return new Promise((resolve, reject) => {
				if (endCause !== undefined) return reject(failed(endCause));
				lastId += 1;
				worker.postMessage({ id: lastId, name, args });
				pending.set(lastId, { resolve, reject });
			});
		},
		/** Runs `close` after the calls under way, and resolves when the thread has ended for any reason. May be called again. */
		async close(): Promise<void> {
			// No pending call has the id 0, and a thread that has ended ignores the message.
			worker.postMessage({ id: 0, name: 'close', args: [] });
			endCause ??= 'it is closed';
			await exited;
		},
	};
}

/**
 * Runs the calls of the thread that started this worker thread. A call that finds the file locked is repeated. Later calls run meanwhile, so
 * that samples are read while another process writes. Only `close` waits for all calls before it.
 */
export function serveCalls(functions: WorkerFunctions): void {
	if (parentPort === null) throw new Error('Calls are served in a worker thread only.');
	const port = parentPort;
	const serve = async ({ id, name, args }: CallMessage): Promise<void> => {
		try {
			port.postMessage({ id, result: await whileBusy(() => functions[name]?.(...args)) });
		} catch (error) {
			// Sends only the message, because an error loses its class between threads.
			port.postMessage({ id, fault: messageOf(error) });
		}
		// Closing the port ends the thread.
		if (name === 'close') port.close();
	};
	const running = new Set<Promise<void>>();
	port.on('message', async (message: CallMessage) => {
		if (message.name === 'close') await Promise.all(running);
		const call = serve(message);
		running.add(call);
		await call;
		running.delete(call);
	});
}

const failed = (cause: string): DomainError => new DomainError('dependency_failed', { dependency: 'tsdb', cause });
