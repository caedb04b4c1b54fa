import { type ReadonlySignal, signal } from '@preact/signals';
import type { Failure, Result } from './api.ts';
import { createDelay } from './delay.ts';

/** What is known of what is typed. */
export interface TrialState<Answer> {
	/** `none`: there is nothing to try. `trying`: typed, and not answered yet; the answer is of what was typed before. */
	readonly phase: 'none' | 'trying' | 'answered' | 'failed';
	readonly answer: Answer | null;
	readonly failure: Failure | null;
	/** When the answer came, in epoch milliseconds. */
	readonly triedAt: number | null;
}

/** Sends a body for a dry run. Never rejects. */
export type SendTrial<Body, Answer> = (body: Body) => Promise<Result<Answer>>;

/** Tries what is typed, without storing anything. */
export interface Trial<Body, Answer> {
	readonly state: ReadonlySignal<TrialState<Answer>>;
	/** Tries a body once no other one has come for 400 ms; null where what is typed cannot be tried. The same body again does nothing. */
	change(body: Body | null): void;
	/** Tries the last body again, at once. */
	repeat(): void;
	stop(): void;
}

/** How long nothing must be typed before it is tried. */
const typingMs = 400;

const nothing: TrialState<never> = { phase: 'none', answer: null, failure: null, triedAt: null };

/** Creates a trial. Of several requests on their way only the last one counts, and a failure leaves no old value behind. */
export function createTrial<Body, Answer>(send: SendTrial<Body, Answer>, now: () => number): Trial<Body, Answer> {
	const state = signal<TrialState<Answer>>(nothing);
	const delay = createDelay(typingMs);
	let text = 'null';
	let current: Body | null = null;
	let newest = 0;

	async function run(): Promise<void> {
		if (current === null) return;
		newest += 1;
		const started = newest;
		const result = await send(current);
		if (started !== newest) return;
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
			// Answers that are on their way are of what was typed before.
			newest += 1;
			delay.cancel();
			// Effects that try something must not follow what comes of it.
			state.value = body === null ? nothing : { ...state.peek(), phase: 'trying', failure: null };
			if (body !== null) delay.start(() => void run());
		},
		repeat: () => {
			if (state.peek().phase !== 'trying') void run();
		},
		stop: () => {
			newest += 1;
			delay.cancel();
		},
	};
}
