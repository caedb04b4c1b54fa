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
	/** Tries the last body again, at once. */
	repeat(): void;
	stop(): void;
}

/** How long the typing must pause before the input is tried. */
const typingMs = 400;

const nothing: TrialState<never> = { phase: 'none', answer: null, failure: null, triedAt: null };

/** Creates a trial. Only the answer to the last request counts, and a failure removes the answer before it. */
export function createTrial<Body, Answer>(send: SendTrial<Body, Answer>, now: () => number): Trial<Body, Answer> {
	const state = signal<TrialState<Answer>>(nothing);
	const delay = createDelay(typingMs);
	let text = 'null';
	let current: Body | null = null;
	let newestRequest = 0;

	async function run(): Promise<void> {
		if (current === null) return;
		newestRequest += 1;
		const ownRequest = newestRequest;
		const result = await send(current);
		if (ownRequest !== newestRequest) return;
		state.value = result.ok
			? { phase: 'answered', answer: result.data, failure: null, triedAt: now() }
			: { phase: 'failed', answer: null, failure: result.failure, triedAt: now() };
	}

	return {
		state,
		change: (body) => {
			const changed = JSON.stringify(body);
			if (changed === text) return;
			text = changed;
			current = body;
			// The answers to requests that still run belong to earlier input, so they are dropped.
			newestRequest += 1;
			delay.cancel();
			// `peek` keeps an effect that calls this from depending on the state that it changes.
			state.value = body === null ? nothing : { ...state.peek(), phase: 'trying', failure: null };
			if (body !== null) delay.start(() => void run());
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
