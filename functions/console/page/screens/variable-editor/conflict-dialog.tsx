import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { readingOf } from '#page/core/readings.ts';
import { type Shown, shownOf } from '#page/core/shown.ts';
import { decimalsOf } from '#page/format/number.ts';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { ShownQuality, ShownValue } from '#page/parts/shown-cells.tsx';
import { differencesOf, type FieldDifference, mergedDraft, type TextPart, textDifference } from './conflict.ts';
import type { Draft } from './draft.ts';
import type { VariableEditor } from './editor-state.ts';
import { editorText } from './editor-texts.ts';
import type { TrialState } from './trial.ts';
import { queryText } from './wording.ts';

/** Properties of ConflictDialog. */
export interface ConflictDialogProps {
	readonly editor: VariableEditor;
	readonly theirs: Draft;
	/** What my draft shows now. */
	readonly mine: TrialState;
}

/** Theirs and mine side by side: a choice for each field that differs. It stores nothing; saving is a second act. */
export function ConflictDialog({ editor, theirs, mine }: ConflictDialogProps) {
	const text = editorText();
	const draft = editor.draft.value;
	const { fields, sameCount } = differencesOf(editor.base.value, theirs, draft, {
		query: queryText,
		bit: (name, bit) => `${text.bit(bit)}: ${name}`,
		kind: (kind) => text.kinds[kind],
		type: (type) => text.types[type],
	});
	const chosen = useSignal<ReadonlyMap<string, boolean>>(new Map());
	const isMine = ({ key, isMine: atFirst }: FieldDifference): boolean => chosen.value.get(key) ?? atFirst;
	const table = useRef<HTMLTableElement>(null);
	useEffect(() => {
		table.current?.querySelector<HTMLInputElement>('input:checked')?.focus();
	}, []);
	const stored = readingOf(theirs.id).value;
	const myAnswer = mine.phase === 'answered' ? mine.answer : null;
	const choose = (key: string, mineIsChosen: boolean): void => {
		chosen.value = new Map([...chosen.value, [key, mineIsChosen]]);
	};
	return (
		<Dialog title={text.conflictTitle} onClose={editor.closeComparison}>
			<p class="dialog-text">{text.conflictText(theirs.name, theirs.version, editor.base.value.version)}</p>
			<div class="table-box">
				<table ref={table} class="conflict">
					<thead>
						<tr>
							<td />
							<th scope="col">
								<b>{text.theirs}</b> {text.version(theirs.version)}{' '}
								<Values shown={stored === undefined ? null : shownOf(stored)} draft={theirs} />
							</th>
							<th scope="col">
								<b>{text.mine}</b> {text.unsaved}{' '}
								<Values shown={myAnswer === null ? null : shownOf(myAnswer.reading)} draft={draft} />
							</th>
						</tr>
					</thead>
					<tbody>
						{fields.map((field) => {
							const parts = textDifference(field.theirs, field.mine);
							const label = fieldLabel(field.key);
							return (
								<tr key={field.key}>
									<th scope="row">{label}</th>
									{([false, true] as const).map((side) => (
										<td key={String(side)}>
											<label class="check">
												<input
													type="radio"
													name={`conflict ${field.key}`}
													aria-label={`${label}: ${side ? text.mine : text.theirs}: ${side ? field.mine : field.theirs}`}
													checked={isMine(field) === side}
													onChange={() => choose(field.key, side)}
												/>
												<span class={field.key === 'formula' ? 'mono' : undefined}>
													<Parts parts={side ? parts.b : parts.a} isMine={side} />
												</span>
											</label>
										</td>
									))}
								</tr>
							);
						})}
					</tbody>
				</table>
			</div>
			<p class="muted">
				<Icon name="q-good" /> {fields.length === 0 ? text.allSame : text.sameFields(sameCount)}
			</p>
			<div class="dialog-foot">
				<div class="apart">
					<Button onClick={() => editor.goOnWith(theirs)}>{text.takeTheirs}</Button>
				</div>
				<span class="muted">{text.storesNothing}</span>
				<Button
					look="primary"
					onClick={() => editor.goOnWith(mergedDraft(theirs, draft, new Set(fields.filter(isMine).map(({ key }) => key))))}
				>
					{text.goOn}
				</Button>
			</div>
		</Dialog>
	);
}

/** The value that a draft shows now. */
function Values({ shown, draft }: { readonly shown: Shown | null; readonly draft: Draft }) {
	if (shown === null) return null;
	return (
		<>
			· <ShownValue shown={shown} kind={draft.kind} decimals={decimalsOf([shown.value])} />{' '}
			<ShownQuality shown={shown} ownName={draft.name} />
		</>
	);
}

/** A text with its differences marked: what is mine is an insertion, what is theirs a deletion. */
function Parts({ parts, isMine }: { readonly parts: readonly TextPart[]; readonly isMine: boolean }) {
	if (parts.length === 0) return <span class="muted">{editorText().absent}</span>;
	return (
		<>
			{parts.map(({ text, changed }, index) => {
				if (!changed) return text;
				// biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name.
				return isMine ? <ins key={index}>{text}</ins> : <del key={index}>{text}</del>;
			})}
		</>
	);
}

/** The words of a field: inputs and bits by their names. */
function fieldLabel(key: string): string {
	const text = editorText();
	if (key.startsWith('input ')) return `{${key.slice('input '.length)}}`;
	if (key.startsWith('bit ')) return `${text.bits} ${key.slice('bit '.length)}`;
	const labels: Readonly<Record<string, string>> = {
		...{ name: text.name, unit: text.unit, process: text.process, kind: text.kind, type: text.type },
		...{ formula: text.formula, query: text.query },
	};
	return labels[key] ?? key;
}
