import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { Icon } from '#page/parts/icon.tsx';
import type { FormulaFault } from './formula-faults.ts';
import { FormulaField, type FormulaFieldHandle, type FormulaFieldProps } from './formula-field.tsx';
import { formulaText } from './formula-texts.ts';
import type { ReferenceName } from './name-list.tsx';

/** Returns the sentence for an unknown name: `there is no input {Flow}.` */
type SayUnknown = (text: string) => string;

interface CheckedFormulaFieldProps<Name extends ReferenceName>
	extends Omit<FormulaFieldProps<Name>, 'handle' | 'faultsId' | 'onReference'> {
	/** Gets the handle of the field. */
	readonly onHandle?: (handle: FormulaFieldHandle | null) => void;
	readonly sayUnknown: SayUnknown;
}

/** The field for a formula, with a list of its errors below it. F8 moves to the next error. */
export function CheckedFormulaField<Name extends ReferenceName>(props: CheckedFormulaFieldProps<Name>) {
	const { text, faults: allFaults, sayUnknown, onText } = props;
	const field = useRef<FormulaFieldHandle | null>(null);
	/** The place of the reference that is being typed; null without one. An incomplete reference is not an error yet. */
	const typedAt = useSignal<number | null>(null);
	const faults = allFaults.filter(({ start }) => start !== typedAt.value);
	const goToNextFault = (): void => {
		const caret = field.current?.caret() ?? 0;
		const next = faults.find(({ start }) => start > caret) ?? faults[0];
		if (next !== undefined) field.current?.select(next.start, next.end);
	};
	useShortcuts([{ key: 'F8', label: formulaText().nextError, run: goToNextFault }]);
	const accept = ({ start, end, suggestion }: FormulaFault): void => {
		if (suggestion === null) return;
		onText(text.slice(0, start) + suggestion + text.slice(end));
		field.current?.selectLater(start + suggestion.length);
	};
	return (
		<>
			<FormulaField
				{...props}
				handle={(handle) => {
					field.current = handle;
					props.onHandle?.(handle);
				}}
				faults={faults}
				faultsId={faultsId}
				onReference={(start) => {
					typedAt.value = start;
				}}
			/>
			<FaultList faults={faults} sayUnknown={sayUnknown} onAccept={accept} />
			<p class="field-hint">{formulaText().formulaHint}</p>
		</>
	);
}

/** The id of the list of errors. One formula is edited at a time. */
const faultsId = 'formula-faults';

interface FaultListProps {
	readonly faults: readonly FormulaFault[];
	readonly sayUnknown: SayUnknown;
	/** Replaces the faulty text by the suggestion. */
	readonly onAccept: (fault: FormulaFault) => void;
}

/** The numbered list of errors of the formula. */
function FaultList({ faults, sayUnknown, onAccept }: FaultListProps) {
	const text = formulaText();
	return (
		<>
			<ul class="faults" id={faultsId}>
				{faults.map((fault, index) => (
					<li key={`${fault.start} ${fault.code}`}>
						<Icon name="q-bad" />
						<span>
							{index + 1} · {faultText(fault, sayUnknown)}{' '}
							{fault.suggestion !== null && (
								<>
									{text.meant}{' '}
									<button type="button" class="link" onClick={() => onAccept(fault)}>
										{fault.suggestion}
									</button>
									?
								</>
							)}
						</span>
					</li>
				))}
			</ul>
			<p class="sr" role="status">
				{faults.length === 0 ? '' : text.formulaErrors(faults.length)}
			</p>
		</>
	);
}

/** Returns the sentence for an error of a formula, with its column. */
function faultText({ code, message, params, text, column }: FormulaFault, sayUnknown: SayUnknown): string {
	const sentences: Readonly<Record<string, SayUnknown>> = { ...formulaText().faults, unknown_name: sayUnknown };
	// The operand is missing before or after an operator: `missing_operand_before`.
	const say = sentences[code === 'missing_operand' ? `${code}_${params['place']}` : code];
	return formulaText().column(column, say?.(text) ?? problemText({ code, message, params: { ...params } }).text);
}
