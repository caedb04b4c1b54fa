import { useId } from 'preact/hooks';
import type { Role } from '#domain/access/role.ts';
import { commonText } from '#page/i18n/common.ts';
import { accessText } from './texts.ts';

interface RoleFieldsProps {
	/** Whose role it is. */
	readonly name: string;
	readonly choices: readonly Role[];
	readonly value: Role;
	readonly disabled?: boolean;
	readonly onChoose: (role: Role) => void;
}

/** A choice of a role, with what each may do. */
export function RoleFields({ name, choices, value, disabled = false, onChoose }: RoleFieldsProps) {
	const text = accessText();
	const group = useId();
	return (
		<fieldset class="stack" disabled={disabled} aria-label={text.roleOf(name)}>
			{choices.map((role) => (
				<label key={role} class="check">
					<input type="radio" name={group} checked={role === value} onChange={() => onChoose(role)} />
					<span class="two-lines">
						{commonText().roles[role]}
						<small>{text.may[role]}</small>
					</span>
				</label>
			))}
		</fieldset>
	);
}
