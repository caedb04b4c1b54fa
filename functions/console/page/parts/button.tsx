import type { ButtonHTMLAttributes } from 'preact';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

/**
 * Properties of Button beside those of a native button. An icon alone needs `aria-label`. A button with `aria-disabled` looks disabled, but
 * keeps the focus, and `onClick` is still called.
 */
export interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'icon'> {
	readonly look?: 'primary' | 'quiet' | undefined;
	readonly small?: boolean | undefined;
	readonly wide?: boolean | undefined;
	readonly icon?: IconName | undefined;
	readonly class?: string | undefined;
}

/** A button. A screen has at most one primary button. Quiet buttons have no background, and small ones are for lists. */
export function Button({ look, small = false, wide = false, icon, class: extra, children, ...rest }: ButtonProps) {
	const isIconOnly = icon !== undefined && children === undefined;
	return (
		<button
			type="button"
			class={classNames('btn', look, small && 'small', wide && 'wide', isIconOnly && 'icon', extra)}
			{...rest}
		>
			{icon !== undefined && <Icon name={icon} />}
			{children}
		</button>
	);
}
