import type { FieldError } from '#page/core/api.ts';
import { valueOrBit } from '#page/core/past/windows.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { Icon } from '#page/parts/icon.tsx';
import { StateShape } from '#page/parts/state-shape.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { type BitDraft, withBitName } from './draft.ts';
import { editorText } from './editor-texts.ts';
import { fieldErrorText } from './wording.ts';

interface BitInputsProps {
	readonly bits: readonly BitDraft[];
	/** The stored bits. A bit that gets a name again keeps the id that it had. */
	readonly stored: readonly BitDraft[];
	/** The newest byte; null when it is not known. */
	readonly value: number | null;
	/** The shown problems by the path of the field. */
	readonly problems: ReadonlyMap<string, FieldError>;
	readonly onChange: (bits: readonly BitDraft[]) => void;
}

/** The positions of the bits in a byte, the most significant one first. */
const bitPositions = [7, 6, 5, 4, 3, 2, 1, 0] as const;

/** The fields for the names of a byte's eight bits, each with its present state. Only bits with a name are saved. */
export function BitInputs({ bits, stored, value, problems, onChange }: BitInputsProps) {
	const text = editorText();
	const { error, faultyPositions } = bitFaults(bits, problems);
	return (
		<>
			<p class="field-hint">{text.bitsHint}</p>
			<ul class="bit-fields">
				{bitPositions.map((position) => {
					const named = bits.find(({ bit }) => bit === position);
					return (
						<li key={position}>
							<span class="mono">{text.bit(position)}</span>
							<TextInput
								aria-label={text.bit(position)}
								aria-invalid={faultyPositions.has(position) || undefined}
								value={named?.name ?? ''}
								onText={(name) => onChange(withBitName(bits, stored, position, name))}
							/>
							<BitState state={valueOrBit(value, position)} />
						</li>
					);
				})}
			</ul>
			{error !== undefined && (
				<p class="field-error" role="alert">
					<Icon name="q-bad" />
					<span>{error}</span>
				</p>
			)}
		</>
	);
}

/** The present state of a bit: 1 is on, 0 is off, and null is not known. */
function BitState({ state }: { readonly state: number | null }) {
	const words = stateWords();
	if (state === null)
		return (
			<span class="word unknown">
				<StateShape kind="state" on={null} /> {words.unknown}
			</span>
		);
	const isOn = state === 1;
	return (
		<span class="word">
			<StateShape kind="state" on={isOn} /> {isOn ? words.state.on : words.state.off}
		</span>
	);
}

/** Returns the words for the first problem of the bits, and the positions of the bits that have one. */
function bitFaults(bits: readonly BitDraft[], problems: ReadonlyMap<string, FieldError>) {
	const nameFaults = bits.flatMap(({ bit }, index) => {
		const fault = problems.get(`bits.${index}.name`);
		return fault === undefined ? [] : [{ bit, fault }];
	});
	const listFault = problems.get('bits');
	// A bit that a board or the panel refers to cannot be removed. The problem names the positions of such bits.
	const usedPositions = listFault?.params['bits'];
	return {
		error: fieldErrorText(listFault ?? nameFaults[0]?.fault),
		faultyPositions: new Set([...nameFaults.map(({ bit }) => bit), ...(Array.isArray(usedPositions) ? usedPositions : [])]),
	};
}
