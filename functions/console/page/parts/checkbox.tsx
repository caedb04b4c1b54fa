interface CheckboxProps {
	readonly label: string;
	readonly checked: boolean;
	readonly onToggle: (checked: boolean) => void;
	readonly disabled?: boolean | undefined;
}

/** A check box with its label at its right. */
export function Checkbox({ label, checked, onToggle, disabled = false }: CheckboxProps) {
	return (
		<label class="check">
			<input type="checkbox" checked={checked} disabled={disabled} onChange={(event) => onToggle(event.currentTarget.checked)} />
			{label}
		</label>
	);
}
