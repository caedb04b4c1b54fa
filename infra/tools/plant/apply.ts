import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { inParallel } from '#domain/alarm/in-parallel.ts';
import { ConfigError } from '#shared/config.ts';
import { nameOfContent } from './items.ts';
import { canonicalText, type Json } from './json.ts';
import { isProvisional } from './match.ts';
import type { PlanStep, PlantPlan } from './plan.ts';
import { type Refusal, readItem, readPanel, referrersOf, refusalText, removeItem, saveItem } from './plant-api.ts';
import type { Session } from './session.ts';
import { bodyOfSave, withVariableIds } from './step-body.ts';

/** The result of a step. */
export interface StepResult {
	readonly step: PlanStep;
	/**
	 * `conflict`: somebody changed the item after the plan was made, and it is left as it is. `interrupted`: the step was not begun,
	 * because the application was interrupted or the service could no longer be reached.
	 */
	readonly outcome: 'done' | 'conflict' | 'failed' | 'interrupted';
	readonly message: string;
}

/** How a plan is carried out. */
export interface ApplyOptions {
	readonly onProgress?: (done: number) => void;
	/** When it is aborted, running requests are completed and no more are sent. */
	readonly signal?: AbortSignal;
}

/** Most items that one message names. */
const maxNamed = 5;

/** Most requests that run at the same time. */
const maxChanges = 4;

/** The answer to a save. That of the panel has no id. */
const savedSchema = v.object({ data: v.object({ id: v.optional(v.number(), 0), version: v.number() }) });

/** Progress so far: the ids of new items, the versions of saved items, and the items whose steps failed. */
interface StepsDone {
	readonly ids: Map<number, number>;
	readonly versions: Map<string, number>;
	readonly failed: Set<string>;
}

/**
 * Carries out a plan, phase by phase. An item that somebody changed meanwhile is a conflict and stays as it is. The other steps are
 * carried out.
 * @returns a result for each step, in the order of the plan
 */
export async function applyPlan(
	session: Session,
	plan: PlantPlan,
	{ onProgress, signal }: ApplyOptions = {},
): Promise<readonly StepResult[]> {
	const progress: StepsDone = { ids: new Map(), versions: new Map(), failed: new Set() };
	const results = new Map<PlanStep, StepResult>();
	let isReachable = true;
	// The steps of a plan are sorted by phase, and a set keeps that order.
	for (const phase of new Set(plan.steps.map((step) => step.phase)))
		await inParallel(
			maxChanges,
			plan.steps.filter((step) => step.phase === phase),
			async (step) => {
				const isEnding = signal?.aborted === true || !isReachable;
				const result: StepResult = isEnding
					? { step, outcome: 'interrupted', message: 'It was not begun.' }
					: await carryOut(session, plan, step, progress).catch((error: unknown) => {
							// The service cannot be reached, refuses the credentials, or does not answer what a step has to read.
							if (!(error instanceof ConfigError)) throw error;
							isReachable = false;
							return { step, outcome: 'failed', message: error.message };
						});
				if (result.outcome !== 'done') progress.failed.add(keyOf(step));
				results.set(step, result);
				onProgress?.(results.size);
			},
		);
	return plan.steps.flatMap((step) => results.get(step) ?? []);
}

const keyOf = ({ kind, id }: Pick<PlanStep, 'kind' | 'id'>): string => `${kind} ${id}`;

async function carryOut(session: Session, plan: PlantPlan, step: PlanStep, progress: StepsDone): Promise<StepResult> {
	if (progress.failed.has(keyOf(step))) return { step, outcome: 'failed', message: 'Its earlier step was not done.' };
	if (step.action === 'delete') return remove(session, plan, step);
	if (lacksVariable(step, progress))
		return { step, outcome: 'failed', message: 'A new variable that it refers to was not created.' };
	if (step.kind === 'panel' && step.version === null && (await readPanel(session)).length > 0)
		return { step, outcome: 'conflict', message: 'Somebody created a panel meanwhile. Plan again.' };
	return save(session, plan, step, progress);
}

/** Whether a step refers to a new variable without an id yet. */
function lacksVariable({ content }: PlanStep, { ids }: StepsDone): boolean {
	const variableIds: number[] = [];
	withVariableIds(content ?? {}, (id) => {
		variableIds.push(id);
		return id;
	});
	return variableIds.some((id) => isProvisional(id) && !ids.has(id));
}

/** Saves the item of a step, on condition of its planned version. */
async function save(session: Session, plan: PlantPlan, step: PlanStep, { ids, versions }: StepsDone): Promise<StepResult> {
	const { kind, before, content, version } = step;
	const saved = { kind, before, content: content ?? {}, id: version === null ? 0 : step.id };
	const body = bodyOfSave(saved, (id) => ids.get(id) ?? id);
	const expected = versions.get(keyOf(step)) ?? version;
	// Another round is needed when the answer is an old one and its item is gone. Its idempotency key is a new one.
	for (let round = 0; ; round += 1) {
		const key = keyOfRequest(plan, step, [expected, body, round]);
		const answer = await saveItem(session, kind, body, { version: expected, key });
		if (!answer.ok) return { step, ...resultOfRefusal(answer, expected) };
		const { data } = v.parse(savedSchema, answer.data);
		// Only a creation has the same key in a later run: the key of a change holds the version that was just read, and a panel was looked for
		// just before. The replayed answer to a creation may be 24 hours old, and its item deleted, renamed or changed since.
		if (answer.isReplayed && version === null && kind !== 'panel') {
			const stored = await readItem(session, kind, data.id);
			if (stored === null || stored.name !== nameOfContent(kind, saved.content)) continue;
			if (stored.version !== data.version)
				return { step, outcome: 'conflict', message: 'Somebody changed it after it was created. Plan again.' };
		}
		ids.set(step.id, data.id);
		versions.set(keyOf(step), data.version);
		return { step, outcome: 'done', message: '' };
	}
}

/** Deletes the item of a step, unless somebody made something refer to it meanwhile. */
async function remove(session: Session, plan: PlantPlan, step: PlanStep): Promise<StepResult> {
	const { kind, id, version } = step;
	if (kind === 'panel') throw new RangeError('The panel cannot be deleted.');
	if (kind === 'variable') {
		// Deleting a variable also changes or deletes the items that refer to it. The earlier steps removed all references but those of a panel
		// that the file lacks, which stays as it is. Somebody saved any other reference meanwhile.
		const isOfKeptPanel = (referrer: string): boolean => referrer === 'panel' && plan.keepsPanel;
		const referrers = (await referrersOf(session, id)).filter((referrer) => !isOfKeptPanel(referrer.kind));
		const named = referrers.slice(0, maxNamed).map(({ label }) => label);
		if (named.length > 0) return { step, outcome: 'conflict', message: `Still used by ${named.join(', ')}. Plan again.` };
	}
	const answer = await removeItem(session, kind, id, { version, key: keyOfRequest(plan, step, [id, version]) });
	return answer.ok ? { step, outcome: 'done', message: '' } : { step, ...resultOfRefusal(answer, version) };
}

/** Builds the idempotency key of a request. A run that continues an interrupted one sends the same key with the same request. */
function keyOfRequest({ goal }: PlantPlan, { kind, name, isPartial }: PlanStep, request: Json): string {
	return createHash('sha256')
		.update(canonicalText([goal, kind, name, isPartial, request]))
		.digest('hex');
}

/** Returns the result of a step that the service refused. `expected` is the version that the request named. */
function resultOfRefusal(refusal: Refusal, expected: number | null): Pick<StepResult, 'outcome' | 'message'> {
	const { status, errors } = refusal;
	if (status === 412) {
		const stored = errors.map(({ params }) => params['stored']).find((version) => typeof version === 'number');
		const now = stored === undefined ? 'it is not there any more' : `version ${String(stored)} is stored`;
		return { outcome: 'conflict', message: `Somebody changed it: version ${expected} was planned on, and ${now}. Plan again.` };
	}
	if (status === 404) return { outcome: 'conflict', message: 'Somebody deleted it. Plan again.' };
	return { outcome: 'failed', message: refusalText(refusal) };
}
