import { useId } from 'preact/hooks';
import type { FieldTies } from './field.tsx';
import { TextInput } from './text-input.tsx';

interface ZoneInputProps {
	readonly ties: FieldTies;
	readonly value: string;
	readonly placeholder?: string;
	readonly disabled?: boolean;
	readonly onText: (name: string) => void;
}

/** A field for the name of a time zone. It suggests the zones that the browser knows. */
export function ZoneInput({ ties, value, placeholder = '', disabled = false, onText }: ZoneInputProps) {
	const list = useId();
	return (
		<>
			<TextInput
				{...ties}
				value={value}
				list={list}
				placeholder={placeholder}
				disabled={disabled}
				spellcheck={false}
				onText={onText}
			/>
			<datalist id={list}>
				{/* The zones of a browser may lack UTC. */}
				{['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => (
					<option key={name} value={name} />
				))}
			</datalist>
		</>
	);
}
