import { type ReadonlySignal, signal } from '@preact/signals';
import type { Failure, Result } from './api.ts';
import { createDelay } from './delay.ts';

/** The state of a dry run of the input in a form. */
export interface TrialState<Answer> {
	/** `none`: there is nothing to try. `trying`: the newest input has no answer yet; `answer` belongs to earlier input. */
	readonly phase: 'none' | 'trying' | 'answered' | 'failed';
	readonly answer: Answer | null;
	readonly failure: Failure | null;
	/** When the answer came, in epoch milliseconds. */
	readonly triedAt: number | null;
}

/** Sends a body for a dry run. Never rejects. */
export type SendTrial<Body, Answer> = (body: Body) => Promise<Result<Answer>>;

/** Sends the input of a form to the service for a dry run, which stores nothing. */
export interface Trial<Body, Answer> {
	readonly state: ReadonlySignal<TrialState<Answer>>;
	/** Tries a body after 400 ms without another change; null if the input cannot be tried. The same body again does nothing. */
	change(body: Body | null): void;
	/** Tries the last body again, at once. Does nothing while the newest input has no answer yet. */
	repeat(): void;
	/** Drops the answer of a request that still runs, and the body that waits. */
	stop(): void;
}

/** How long the typing must pause before the input is tried. */
const typingMs = 400;

const nothing: TrialState<never> = { phase: 'none', answer: null, failure: null, triedAt: null };

/** Creates a trial. Only the answer to the last request counts, and a failure removes the answer before it. */
export function createTrial<Body, Answer>(send: SendTrial<Body, Answer>, now: () => number): Trial<Body, Answer> {
	const state = signal<TrialState<Answer>>(nothing);
	const delay = createDelay(typingMs);
	let body: Body | null = null;
	/** The JSON of `body`. */
	let bodyText = JSON.stringify(body);
	/** The number of the newest request. Only its answer counts. */
	let newestRequest = 0;

	/** Sends the body, and keeps the answer unless a newer request was sent meanwhile. */
	async function run(): Promise<void> {
		if (body === null) return;
		newestRequest += 1;
		const ownRequest = newestRequest;
		const result = await send(body);
		if (ownRequest !== newestRequest) return;
		state.value = result.ok
			? { phase: 'answered', answer: result.data, failure: null, triedAt: now() }
			: { phase: 'failed', answer: null, failure: result.failure, triedAt: now() };
	}

	return {
		state,
		change: (newBody) => {
			const newText = JSON.stringify(newBody);
			if (newText === bodyText) return;
			bodyText = newText;
			body = newBody;
			// The answers to requests that still run belong to earlier input, so they are dropped.
			newestRequest += 1;
			delay.cancel();
			// `peek` keeps an effect that calls this from depending on the state that it changes.
			state.value = newBody === null ? nothing : { ...state.peek(), phase: 'trying', failure: null };
			if (newBody !== null) delay.start(() => void run());
		},
		repeat: () => {
			if (state.peek().phase !== 'trying') void run();
		},
		stop: () => {
			newestRequest += 1;
			delay.cancel();
		},
	};
}
