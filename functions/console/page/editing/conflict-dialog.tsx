import { useSignal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { DraftEditor, Versioned } from '#page/core/draft-editor.ts';
import { differencesOf, type FieldDifference, mergedDraft } from '#page/core/draft-fields.ts';
import type { KindVersions } from '#page/core/item-versions.ts';
import { messages } from '#page/i18n/i18n.ts';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { DifferenceText } from '#page/parts/difference-text.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { textDifference } from '#page/parts/text-difference.ts';
import { type Drafts, type EditedKind, itemKinds, type VersionedKinds } from './item-kinds.ts';

/** Properties of the dialog of a conflict. */
export interface ConflictProps<Kind extends EditedKind> {
	readonly kind: Kind;
	readonly editor: DraftEditor<Drafts[Kind]>;
	/** Further facts about their version, such as its number or value. */
	readonly ofTheirs?: (theirs: Versioned<Drafts[Kind]>) => ComponentChildren;
	/** Further facts about the draft. */
	readonly ofMine?: ComponentChildren;
	/** Called with their version after the person has taken it. */
	readonly onTaken?: (theirs: Drafts[Kind]) => void;
	/** Called when somebody else deleted the item, and the person gives up the draft. */
	readonly onDrop?: () => void;
}

/**
 * Loads the fields of a kind, and returns the dialog that says that somebody else saved or deleted the edited item meanwhile. The dialog
 * shows nothing without a conflict.
 */
export async function loadConflictDialog<Kind extends EditedKind>(kind: Kind): Promise<ComponentType<ConflictProps<Kind>>> {
	const { [kind]: ofKind }: VersionedKinds = itemKinds;
	const { versions } = await ofKind.load();
	return function ConflictDialog(props) {
		const theirs = props.editor.theirs.value;
		if (theirs === null) return null;
		// After a deletion, `theirs` has no version.
		return 'version' in theirs ? <Choice {...props} theirs={theirs} fieldsOf={versions.conflictFieldsOf} /> : <Gone {...props} />;
	};
}

/** The choices after the item was deleted: to save the draft as a new item, or to give it up. */
function Gone<Kind extends EditedKind>({ kind, editor, onDrop }: ConflictProps<Kind>) {
	const words = conflictText();
	return (
		<Dialog title={words.deleted(words.kinds[kind])} onClose={editor.closeConflict} small>
			<p class="dialog-text">{words.kept}</p>
			<div class="dialog-foot">
				<Button
					onClick={() => {
						editor.discard();
						onDrop?.();
					}}
				>
					{words.drop}
				</Button>
				<Button look="primary" onClick={editor.becomeNew}>
					{words.asNew}
				</Button>
			</div>
		</Dialog>
	);
}

interface ChoiceProps<Kind extends EditedKind> extends ConflictProps<Kind> {
	readonly theirs: Versioned<Drafts[Kind]>;
	readonly fieldsOf: KindVersions<Drafts[Kind]>['conflictFieldsOf'];
}

/**
 * Shows their version and the draft side by side, with a choice for each field that differs. The merged draft is not stored until the
 * person saves it.
 */
function Choice<Kind extends EditedKind>({ kind, editor, fieldsOf, theirs, ofTheirs, ofMine, onTaken }: ChoiceProps<Kind>) {
	const words = conflictText();
	/** Whether the text of the draft is chosen, by the key of the field. */
	const choices = useSignal<ReadonlyMap<string, boolean>>(new Map());
	const table = useRef<HTMLTableElement>(null);
	useEffect(() => {
		table.current?.querySelector<HTMLInputElement>('input:checked')?.focus();
	}, []);
	const versions = { base: editor.base.value.content, theirs: theirs.content, mine: editor.content.value };
	const fields = fieldsOf(versions);
	const differences = differencesOf(fields, versions);
	const sameCount = fields.length - differences.length;
	const isMine = ({ key, isMine: atFirst }: FieldDifference): boolean => choices.value.get(key) ?? atFirst;
	const continueWithChoices = (): void => {
		const myKeys = new Set(differences.filter(isMine).map(({ key }) => key));
		editor.rebase(mergedDraft(fields, versions, myKeys), theirs);
	};
	return (
		<Dialog title={words.saved(words.kinds[kind])} onClose={editor.closeConflict}>
			{/* Only content that was never stored has no version. */}
			<p class="dialog-text">{words.storedMeanwhile(theirs.version ?? 0)}</p>
			{differences.length === 0 ? (
				<p>{words.same}</p>
			) : (
				<div class="table-box">
					<table ref={table} class="conflict">
						<ChoiceHead ofTheirs={ofTheirs?.(theirs)} ofMine={ofMine} />
						<tbody>
							{differences.map((field) => (
								<FieldRow
									key={field.key}
									field={field}
									isMine={isMine(field)}
									onChoose={(mine) => {
										choices.value = new Map([...choices.value, [field.key, mine]]);
									}}
								/>
							))}
						</tbody>
					</table>
				</div>
			)}
			{sameCount > 0 && (
				<p class="muted">
					<Icon name="q-good" /> {words.sameFields(sameCount)}
				</p>
			)}
			<div class="dialog-foot">
				<div class="apart">
					<Button
						onClick={() => {
							editor.rebase(theirs.content, theirs);
							onTaken?.(theirs.content);
						}}
					>
						{words.takeTheirs}
					</Button>
				</div>
				<span class="muted">{words.storesNothing}</span>
				<Button look="primary" onClick={continueWithChoices}>
					{words.goOn}
				</Button>
			</div>
		</Dialog>
	);
}

/** The head of the table: theirs and mine, each with further facts. */
function ChoiceHead(facts: { readonly ofTheirs: ComponentChildren; readonly ofMine: ComponentChildren }) {
	const words = conflictText();
	return (
		<thead>
			<tr>
				<td />
				<th scope="col">
					<b>{words.theirs}</b> {facts.ofTheirs}
				</th>
				<th scope="col">
					<b>{words.mine}</b> {facts.ofMine}
				</th>
			</tr>
		</thead>
	);
}

interface FieldRowProps {
	readonly field: FieldDifference;
	readonly isMine: boolean;
	/** Called with whether the text of the draft is chosen. */
	readonly onChoose: (mine: boolean) => void;
}

/** A field with its two texts, of which one is chosen. */
function FieldRow({ field, isMine, onChoose }: FieldRowProps) {
	const words = conflictText();
	const parts = textDifference(field.theirs, field.mine);
	return (
		<tr>
			<th scope="row">{field.label}</th>
			{([false, true] as const).map((ofMine) => {
				const content = ofMine ? field.mine : field.theirs;
				return (
					<td key={String(ofMine)}>
						<label class="check">
							<input
								type="radio"
								name={`conflict ${field.key}`}
								aria-label={`${field.label}: ${ofMine ? words.mine : words.theirs}: ${content === '' ? words.nothing : content}`}
								checked={isMine === ofMine}
								onChange={() => onChoose(ofMine)}
							/>
							<span class={field.isCode ? 'mono' : undefined}>
								<DifferenceText
									parts={ofMine ? parts.after : parts.before}
									marks={ofMine ? 'inserted' : 'deleted'}
									nothing={words.nothing}
								/>
							</span>
						</label>
					</td>
				);
			})}
		</tr>
	);
}

const conflictText = messages({
	en: {
		kinds: {
			alarm: 'this alarm',
			chart: 'this chart',
			diagram: 'this diagram',
			panel: 'this panel',
			report: 'this report',
			variable: 'this variable',
		},
		saved: (kind: string) => `Somebody else saved ${kind}`,
		deleted: (kind: string) => `Somebody else deleted ${kind}`,
		kept: 'What you typed is still here. You can save it as a new one.',
		asNew: 'Go on as a new one',
		drop: 'Drop what I typed',
		storedMeanwhile: (version: number) =>
			`Version ${version} was stored while you were editing. Choose for each difference what you go on with.`,
		theirs: 'Theirs',
		mine: 'Mine',
		takeTheirs: 'Take theirs, drop mine',
		nothing: 'nothing',
		same: 'Both are the same.',
		sameFields: (count: number) =>
			count === 1 ? '1 more field is the same in both.' : `${count} more fields are the same in both.`,
		goOn: 'Go on with the choice',
		storesNothing: 'Nothing is stored until you save.',
	},
	es: {
		kinds: {
			alarm: 'esta alarma',
			chart: 'este gráfico',
			diagram: 'este sinóptico',
			panel: 'este panel',
			report: 'este informe',
			variable: 'esta variable',
		},
		saved: (kind: string) => `Otra persona ha guardado ${kind}`,
		deleted: (kind: string) => `Otra persona ha borrado ${kind}`,
		kept: 'Lo que escribió sigue aquí. Puede guardarlo como nuevo.',
		asNew: 'Seguir con lo escrito como nuevo',
		drop: 'Descartar lo escrito',
		storedMeanwhile: (version: number) =>
			`Se guardó la versión ${version} mientras usted editaba. Elija en cada diferencia con qué seguir.`,
		theirs: 'Lo guardado',
		mine: 'Lo mío',
		takeTheirs: 'Quedarse con lo guardado, descartar lo mío',
		nothing: 'nada',
		same: 'Los dos son iguales.',
		sameFields: (count: number) =>
			count === 1 ? 'Otro campo es igual en los dos.' : `Otros ${count} campos son iguales en los dos.`,
		goOn: 'Seguir con lo elegido',
		storesNothing: 'No se guarda nada hasta que usted guarde.',
	},
});
