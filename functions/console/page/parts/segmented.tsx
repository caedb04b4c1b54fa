import { useId } from 'preact/hooks';
import type { Choice } from './select.tsx';

/** `label` names the group for screen readers. */
interface SegmentedProps<Value extends string> {
	readonly label: string;
	readonly value: Value | null;
	readonly choices: readonly Choice<Value>[];
	readonly onChoose: (value: Value) => void;
	readonly disabled?: boolean | undefined;
}

/** A choice of one value of a few, which are all visible: a group of radio buttons. Arrow keys move the choice. */
export function Segmented<Value extends string>({ label, value, choices, onChoose, disabled = false }: SegmentedProps<Value>) {
	const name = useId();
	return (
		<div class="segmented" role="radiogroup" aria-label={label}>
			{choices.map((choice) => (
				<label key={choice.value}>
					<input
						type="radio"
						name={name}
						checked={choice.value === value}
						disabled={disabled || choice.disabled}
						onChange={() => onChoose(choice.value)}
					/>
					<span>{choice.label}</span>
					{/* Takes the width of the label in bold, so that choosing it does not move its neighbours. */}
					<span class="reserve" aria-hidden="true">
						{choice.label}
					</span>
				</label>
			))}
		</div>
	);
}

/** A `Segmented` in a form, below its label. */
export function SegmentedField<Value extends string>(props: SegmentedProps<Value>) {
	return (
		<div class="field">
			<span class="field-label" aria-hidden="true">
				{props.label}
			</span>
			<Segmented {...props} />
		</div>
	);
}
