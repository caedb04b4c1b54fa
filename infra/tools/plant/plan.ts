import { createHash } from 'node:crypto';
import { type FieldChange, fieldChanges } from './diff.ts';
import { joinNames, writeName } from './item-name.ts';
import { bitPositions, bitsOf, itemNames, type StoredItem, type StoredPlant } from './items.ts';
import { canonicalText, type Json, type JsonObject } from './json.ts';
import { kinds, type PlantKind, plantKinds } from './kinds.ts';
import { type DesiredItem, linkItems } from './link.ts';
import { matchItems } from './match.ts';
import type { Fault, PlantFile } from './plant-file.ts';

/** One change of a plan. */
export interface PlanStep {
	/** Steps with a smaller number are carried out first. */
	readonly phase: number;
	readonly action: 'create' | 'change' | 'delete';
	readonly kind: PlantKind;
	/** The name as the file writes it; empty for the panel, which its kind names. */
	readonly name: string;
	/** The present name in the plant, if the step renames the item; otherwise null. */
	readonly was: string | null;
	/** The id of the stored item, or the provisional id of a new one. */
	readonly id: number;
	/** The version that the plan is based on; null for a new item. */
	readonly version: number | null;
	/** The content in the form of the API, without id and version; null for a deletion. */
	readonly content: JsonObject | null;
	/** The stored content; null for a new item. */
	readonly before: JsonObject | null;
	readonly fields: readonly FieldChange[];
	/** Whether the step only adds the variable's new bits. A later step removes its lost bits, after the boards have changed. */
	readonly isPartial: boolean;
}

/** The changes that would make a plant match a file. */
export interface PlantPlan {
	readonly schema: string;
	readonly steps: readonly PlanStep[];
	readonly faults: readonly Fault[];
	/** The items of the plant that the file lacks and that stay, such as `chart "Flows"`. */
	readonly left: readonly string[];
	/** Whether the panel stays as it is, because the file has none. Its items may refer to variables that are deleted. */
	readonly keepsPanel: boolean;
	/** A hash of the schema and the file's items. It is the same for an interrupted run and the run that continues it. */
	readonly goal: string;
}

/** How a plan is made. */
export interface PlanOptions {
	/** The number of items that must be deleted; null: nothing is deleted. */
	readonly deletions: number | null;
	/** The schema to apply the file to; null: the one that the file was pulled from. */
	readonly schema: string | null;
}

/** The order in which steps are carried out. */
const phases = {
	variable: 0,
	chart: 1,
	diagram: 1,
	report: 1,
	panel: 2,
	alarm: 3,
	deletedBoard: 4,
	lostBits: 5,
	deletedVariable: 6,
} as const;

/** Plans the steps that make a plant match a file, in the order in which they can be carried out. Also returns every fault of the file. */
export function planChanges(file: PlantFile, plant: StoredPlant, options: PlanOptions): PlantPlan {
	const goal = goalOf(file, plant.schema);
	const wrongSchema = schemaFault(file, plant, options);
	if (wrongSchema !== null) return { schema: plant.schema, steps: [], faults: [wrongSchema], left: [], keepsPanel: false, goal };
	const matched = matchItems(file, plant);
	const deletesAbsent = options.deletions !== null;
	const linked = linkItems(matched.items, plant, { deletesAbsent });
	const inFile = new Set(matched.items.flatMap(({ stored }) => stored ?? []));
	const absent = plant.items.filter((item) => !inFile.has(item));
	// The panel cannot be deleted.
	const deletable = absent.filter(({ kind }) => kind !== 'panel');
	const untouched = deletesAbsent ? absent.filter(({ kind }) => kind === 'panel') : absent;
	const names = itemNames(plant.items);
	const nameInFile = (item: StoredItem): string => writeName(names.get(item) ?? { name: item.name });
	const label = (item: StoredItem): string =>
		item.kind === 'panel' ? 'the panel' : `${item.kind} ${JSON.stringify(nameInFile(item))}`;
	const faults = [
		...matched.faults,
		...linked.faults,
		...countFaults(linked.items, untouched),
		...lostBitFaults(linked.items, untouched, label),
		...deletionFaults(deletable, options.deletions, label),
	];
	const nameOf = variableNames(linked.items, plant);
	const steps = [
		...linked.items.filter(({ isChanged }) => isChanged).flatMap((item) => savingSteps(item, linked.items, nameOf)),
		...(deletesAbsent ? deletable.map((item) => deletion(item, nameInFile(item))) : []),
	];
	return {
		schema: plant.schema,
		// Within a phase, items stand by kind, as in the file.
		steps: steps.toSorted((a, b) => a.phase - b.phase || plantKinds.indexOf(a.kind) - plantKinds.indexOf(b.kind)),
		faults,
		left: untouched.map(label),
		keepsPanel: untouched.some(({ kind }) => kind === 'panel'),
		goal,
	};
}

function goalOf(file: PlantFile, schema: string): string {
	const items = file.items.map(({ kind, content, name = null, was = null }): Json => [kind, name, was, content]);
	return createHash('sha256')
		.update(canonicalText([schema, items]))
		.digest('hex');
}

function schemaFault(file: PlantFile, { schema }: StoredPlant, options: PlanOptions): Fault | null {
	if (options.schema !== null && options.schema !== schema)
		return {
			path: '',
			message: `--schema is ${options.schema}, but the credentials are for the schema ${schema}: use those of ${options.schema}.`,
		};
	if (file.schema === schema) return null;
	if (file.thisPlantOnly) {
		const message = `Is for the plant ${file.schema} only, because it names items with their ids: give items of one name names of their own there, and pull again.`;
		return { path: 'thisPlantOnly', message };
	}
	if (options.schema === schema) return null;
	const message = `Is ${JSON.stringify(file.schema)}, but the credentials are for ${schema}: to apply the file there, say --schema ${schema}.`;
	return { path: 'schema', message };
}

/** Returns a fault for each kind of which the plant would have too many. */
function countFaults(items: readonly DesiredItem[], untouched: readonly StoredItem[]): readonly Fault[] {
	return plantKinds.flatMap((kind) => {
		const { maxItems, list } = kinds[kind];
		const count =
			items.filter(({ written }) => written.kind === kind).length + untouched.filter((item) => item.kind === kind).length;
		if (count <= maxItems) return [];
		return [{ path: list, message: `The plant would have ${count}: it holds at most ${maxItems}.` }];
	});
}

/** Returns a fault when another number of items would be deleted than the operator expects. */
function deletionFaults(
	absent: readonly StoredItem[],
	deletions: number | null,
	label: (item: StoredItem) => string,
): readonly Fault[] {
	if (deletions === null || deletions === absent.length) return [];
	const list = absent.length === 0 ? '' : ` (${joinNames(absent.map(label))})`;
	return [
		{
			path: '',
			message: `--delete ${deletions} was said, but the file lacks ${absent.length} items of the plant${list}: say --delete ${absent.length} to delete them.`,
		},
	];
}

/** Returns a fault for each variable that loses a bit which an untouched item still uses. */
function lostBitFaults(
	items: readonly DesiredItem[],
	untouched: readonly StoredItem[],
	label: (item: StoredItem) => string,
): readonly Fault[] {
	const users = untouched.flatMap((item) => kinds[item.kind].references(item.content).map((reference) => ({ item, reference })));
	return items.flatMap(({ written, stored, id, content }) => {
		if (written.kind !== 'variable' || stored === null) return [];
		const lost = lostBits(stored.content, content);
		const user = users.find(({ reference: { varId, bit } }) => varId === id && bit !== undefined && lost.includes(bit));
		if (user === undefined) return [];
		const bit = user.reference.bit;
		return [
			{
				path: `${written.path}.bits`,
				message: `Bit ${bit} is used by ${label(user.item)}, which the file lacks: keep the bit, or add that item without it.`,
			},
		];
	});
}

/** The positions of the bits that only the first content has. */
const lostBits = (before: JsonObject, after: JsonObject): readonly number[] => {
	const kept = bitPositions(after);
	return bitPositions(before).filter((bit) => !kept.includes(bit));
};

/** Returns the step that saves an item, or two where a variable gains bits that boards need before it loses those that boards still use. */
function savingSteps(item: DesiredItem, allItems: readonly DesiredItem[], nameOf: (id: number) => string): readonly PlanStep[] {
	const { written, name, stored, id, content, isRenamed } = item;
	const { kind } = written;
	const step: PlanStep = {
		phase: phases[kind],
		action: stored === null ? 'create' : 'change',
		kind,
		name: kind === 'panel' ? '' : writeName(name),
		was: isRenamed && stored !== null ? writeName({ name: stored.name }) : null,
		id,
		version: stored?.version ?? null,
		content,
		before: stored?.content ?? null,
		fields: stored === null ? [] : fieldChanges(stored.content, content, nameOf),
		isPartial: false,
	};
	if (kind !== 'variable' || stored === null) return [step];
	const lost = lostBits(stored.content, content);
	if (lost.length === 0) return [step];
	const gained = lostBits(content, stored.content);
	const usesGainedBits = allItems.some(({ written: { kind: userKind }, content: userContent }) =>
		kinds[userKind].references(userContent).some(({ varId, bit }) => varId === id && bit !== undefined && gained.includes(bit)),
	);
	// Boards that are stored may use the lost bits, so the bits are taken away after the boards have changed.
	const last: PlanStep = { ...step, phase: phases.lostBits };
	if (!usesGainedBits) return [last];
	return [{ ...step, content: withBits(content, stored.content, lost), isPartial: true }, last];
}

/** Adds the bits of `from` at some positions to the content. A bit whose id is taken gets a free one. */
function withBits(content: JsonObject, from: JsonObject, positions: readonly number[]): JsonObject {
	const bits = [...bitsOf(content)];
	const usedIds = new Set(bits.map(({ id }) => id));
	for (const bit of bitsOf(from)) {
		if (typeof bit['bit'] !== 'number' || !positions.includes(bit['bit'])) continue;
		let id = bit['id'] ?? 0;
		for (let candidate = 0; usedIds.has(id); candidate += 1) id = candidate;
		usedIds.add(id);
		bits.push({ ...bit, id });
	}
	return { ...content, bits };
}

function deletion(item: StoredItem, name: string): PlanStep {
	return {
		phase: item.kind === 'variable' ? phases.deletedVariable : phases.deletedBoard,
		action: 'delete',
		kind: item.kind,
		name,
		was: null,
		id: item.id,
		version: item.version,
		content: null,
		before: item.content,
		fields: [],
		isPartial: false,
	};
}

/** Returns a function that names variables. The name in the file takes precedence over the stored one. */
function variableNames(items: readonly DesiredItem[], plant: StoredPlant): (id: number) => string {
	const names = new Map<number, string>();
	for (const [item, name] of itemNames(plant.items)) if (item.kind === 'variable') names.set(item.id, writeName(name));
	for (const { written, id, name } of items) if (written.kind === 'variable') names.set(id, writeName(name));
	return (id) => names.get(id) ?? `#${id}`;
}
