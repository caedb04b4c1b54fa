import type { Transferable, Worker } from 'node:worker_threads';
import { DomainError } from '#domain/errors.ts';

/** What a worker thread is sent. */
export interface Numbered<Request> {
	readonly id: number;
	readonly body: Request;
}

/** What it answers, with the same id: its reply, or the message of what went wrong. */
export interface Answered<Reply> {
	readonly id: number;
	readonly body: { readonly reply: Reply } | { readonly fault: string };
}

interface Pending<Reply> {
	readonly resolve: (reply: Reply) => void;
	readonly reject: (error: Error) => void;
}

/** Calls to a worker thread. */
export interface WorkerCalls<Request, Reply> {
	/** Rejects with DomainError `dependency_failed` (tsdb) where the call failed or the thread has ended, now or before. */
	call(request: Request, transfer?: readonly Transferable[]): Promise<Reply>;
	/** Sends the request that ends the thread, and resolves when it has ended, of that or of anything else. */
	close(request: Request): Promise<void>;
}

/** Makes calls to `worker`, which answers every message in the form of `Answered`. */
export function workerCalls<Request, Reply>(worker: Worker): WorkerCalls<Request, Reply> {
	const pending = new Map<number, Pending<Reply>>();
	let lastId = 0;
	let ended: string | undefined;

	const end = (cause: string): void => {
		ended ??= cause;
		for (const { reject } of pending.values()) reject(failed(ended));
		pending.clear();
	};
	const exited = new Promise<void>((resolve) => {
		worker.once('exit', (code) => {
			end(`the worker thread ended with exit code ${code}`);
			resolve();
		});
	});
	worker.on('error', (error: unknown) =>
		end(`the worker thread failed: ${error instanceof Error ? error.message : String(error)}`),
	);
	worker.on('messageerror', (error) => end(`an answer of the worker thread could not be read: ${error.message}`));
	worker.on('message', ({ id, body }: Answered<Reply>) => {
		const call = pending.get(id);
		if (!pending.delete(id)) return;
		if ('fault' in body) call?.reject(failed(body.fault));
		else call?.resolve(body.reply);
	});

	const call = (request: Request, transfer: readonly Transferable[] = []): Promise<Reply> =>
		new Promise((resolve, reject) => {
			if (ended !== undefined) return reject(failed(ended));
			lastId += 1;
			worker.postMessage({ id: lastId, body: request } satisfies Numbered<Request>, transfer);
			pending.set(lastId, { resolve, reject });
		});
	return {
		call,
		close: async (request) => {
			// To a thread that has ended this says nothing; no call has the id 0.
			worker.postMessage({ id: 0, body: request } satisfies Numbered<Request>);
			ended ??= 'it is closed';
			await exited;
		},
	};
}

const failed = (cause: string): DomainError => new DomainError('dependency_failed', { dependency: 'tsdb', cause });
