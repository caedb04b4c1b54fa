import { diagramSchema } from '#domain/board/diagram.ts';
import { symbolKinds } from '#domain/board/symbol-kinds.ts';
import { parse } from '#domain/validation/parse.ts';
import { type Diagram, variables } from '#page/core/definitions.ts';
import {
	type DraftField,
	type DraftList,
	type DraftVersions,
	fieldOf,
	itemsByName,
	listFields,
} from '#page/core/draft-fields.ts';
import { createItemVersions, draftOfChecked } from '#page/core/item-versions.ts';
import { formatExact } from '#page/format/number.ts';
import { commonText } from '#page/i18n/common.ts';
import { bindingWords } from '#page/parts/binding-words.ts';
import { atKeys, type DiagramDraft, type DraftPipe, type DraftSymbol, freshKey, storedDraftOf } from './diagram-draft.ts';
import { diagramRequests } from './diagram-requests.ts';
import type { PipeEnd } from './symbols/pipe-geometry.ts';
import { nameOf } from './symbols/scene.tsx';
import { formerRatio } from './symbols/symbol-geometry.ts';
import { diagramText } from './texts.ts';

/** Compares and saves versions of diagrams. */
export const versions = createItemVersions<DiagramDraft>({
	draftOf: draftOfChecked(
		(input) => parse(diagramSchema, input),
		(row: Diagram) => storedDraftOf(row).content,
	),
	fieldsOf: diagramVersionFields,
	requests: diagramRequests,
});

/** Returns the fields by which two versions are compared: the title, the proportions, the background, each symbol and each pipe. */
export function diagramVersionFields(versions: DraftVersions<DiagramDraft>): readonly DraftField<DiagramDraft>[] {
	const text = diagramText();
	const symbols = symbolsSince(versions.base);
	const { theirs, mine } = withSharedKeys(symbols, versions);
	const sharing = (draft: DiagramDraft): DiagramDraft =>
		draft === versions.theirs ? theirs : draft === versions.mine ? mine : draft;
	const fields = [
		fieldOf<DiagramDraft>(['title'], commonText().title, ({ title }) => title),
		fieldOf<DiagramDraft>(['ratio'], text.ratio, ({ ratio }) => formatExact(withThreeDecimals(ratio ?? formerRatio))),
		fieldOf<DiagramDraft>(['background'], text.backgroundField, ({ background }) =>
			background === null ? '' : text.backgroundSize(formatExact(background.length)),
		),
		...listFields(symbols, { theirs, mine }),
		...listFields<DiagramDraft, DraftPipe>(
			{
				key: 'pipe',
				itemsOf: ({ pipes }) => pipes,
				withItems: (draft, pipes) => renumbered({ ...draft, pipes }),
				nameOf: ({ from, to }) => `${endWords(from)} ${endWords(to)}`,
				labelOf: ({ from, to }) => `${endWords(from)} → ${endWords(to)}`,
				textOf: pipeWords,
			},
			{ theirs, mine },
		),
	];
	return fields.map((field) => ({
		...field,
		textOf: (draft) => field.textOf(sharing(draft)),
		take: (draft, other) => field.take(sharing(draft), sharing(other)),
	}));
}

/**
 * Returns the list of symbols. Their keys in `base` identify them, whatever they show now. A key that was given since then identifies
 * nothing, because two people may give it to two symbols: such a symbol is found by what it shows.
 */
function symbolsSince(base: DiagramDraft): DraftList<DiagramDraft, DraftSymbol> {
	const keys = new Set(base.symbols.map(({ key }) => key));
	return {
		key: 'item',
		itemsOf: ({ symbols }) => symbols,
		withItems: (draft, symbols) => renumbered({ ...draft, symbols }),
		nameOf: ({ key, varId, bit, kind, label }) => {
			if (key !== null && keys.has(key)) return `key ${key}`;
			return varId === null ? `${kind} ${label}` : `${varId} ${bit}`;
		},
		labelOf: symbolLabel,
		textOf: symbolWords,
	};
}

/**
 * Returns both versions with one key for each symbol, so that the pipes of both find it. A symbol gets its first key with its first pipe,
 * so it may have a key in one version only, or two keys, and two symbols may have one key.
 */
function withSharedKeys(
	list: DraftList<DiagramDraft, DraftSymbol>,
	{ theirs, mine }: Pick<DraftVersions<DiagramDraft>, 'theirs' | 'mine'>,
) {
	const keys = new Map([...itemsByName(list, theirs)].flatMap(([name, { key }]) => (key === null ? [] : [[name, key] as const])));
	const theirKeys = new Set(keys.values());
	const usedKeys = new Set([...theirKeys, ...mine.symbols.flatMap(({ key }) => key ?? [])]);
	for (const [name, { key, kind }] of itemsByName(list, mine)) {
		if (key === null || keys.has(name)) continue;
		const shared = theirKeys.has(key) ? freshKey(kind, usedKeys) : key;
		usedKeys.add(shared);
		keys.set(name, shared);
	}
	const withKeys = (draft: DiagramDraft): DiagramDraft => {
		const named = [...itemsByName(list, draft)];
		const newKeys = new Map(named.flatMap(([name, { key }]) => (key === null ? [] : [[key, keys.get(name) ?? key] as const])));
		return {
			...draft,
			symbols: named.map(([name, symbol]) => ({
				...symbol,
				// No pipe ends at a symbol without sides.
				key: symbolKinds[symbol.kind].sides.length === 0 ? null : (keys.get(name) ?? null),
			})),
			pipes: draft.pipes.map((pipe) => atKeys(pipe, newKeys)),
		};
	};
	return { theirs: withKeys(theirs), mine: withKeys(mine) };
}

/** Gives symbols and pipes new ids, because those of two versions may have the same ids. Removes pipes whose symbol was not taken. */
function renumbered({ symbols, pipes, ...draft }: DiagramDraft): DiagramDraft {
	const keys = new Set(symbols.map(({ key }) => key));
	const kept = pipes.filter(({ from, to }) => keys.has(from[0]) && keys.has(to[0]));
	return {
		...draft,
		symbols: symbols.map((symbol, id) => ({ ...symbol, id })),
		pipes: kept.map((pipe, index) => ({ ...pipe, id: symbols.length + index })),
	};
}

/** Rounds a ratio such as 13 / 9, which has no end as a decimal. */
function withThreeDecimals(ratio: number): number {
	return Math.round(ratio * 1000) / 1000;
}

function symbolLabel(symbol: DraftSymbol): string {
	const name = nameOf(symbol, variables.rows.value ?? new Map());
	return name === '' ? [diagramText().kinds[symbol.kind], symbol.key ?? ''].join(' ').trim() : name;
}

/** Everything of a symbol that a save stores. */
function symbolWords(symbol: DraftSymbol): string {
	const { kind, varId, x, y, w, h, turn, scale, tap, words } = symbol;
	const binding = varId === null ? '' : ` (${bindingWords(symbol, variables.rows.value)})`;
	const sizes = [w, h].filter((size) => size !== null);
	const details = [
		kind === 'value' ? '' : diagramText().kinds[kind].toLowerCase(),
		w === null ? '' : sizes.map(formatExact).join(' × '),
		turn === 0 ? '' : `${turn}°`,
		scale === null ? '' : scale.map(formatExact).join(' – '),
		tap === null ? '' : `→ ${pointWords(tap)}`,
		words ?? '',
	];
	return [`${symbolLabel(symbol)}${binding}: ${pointWords([x, y])}`, ...details.filter((detail) => detail !== '')].join(', ');
}

/** Everything of a pipe that a save stores. */
function pipeWords(pipe: DraftPipe): string {
	const { from, to, via, varId, over, isThin } = pipe;
	const flow = varId === null ? '' : `${bindingWords(pipe, variables.rows.value)} > ${formatExact(over)}`;
	return [[endWords(from), ...via.map(pointWords), endWords(to)].join(' → '), flow, isThin ? diagramText().thinPipe : '']
		.filter((part) => part !== '')
		.join(', ');
}

function endWords([key, side, at]: PipeEnd): string {
	return `${key} ${diagramText().sides[side]}${at === undefined ? '' : ` ${formatExact(at)}`}`;
}

function pointWords([x, y]: readonly [number, number]): string {
	return `${formatExact(x)} · ${formatExact(y)}`;
}
