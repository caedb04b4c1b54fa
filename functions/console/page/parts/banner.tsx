import type { ComponentChildren } from 'preact';
import { classNames } from './class-names.ts';
import { Icon, type IconName } from './icon.tsx';

/** `action` is a button that solves the problem. */
interface BannerProps {
	/** `error`: something was refused. `doubt`: data cannot be trusted. `inverse`: the service itself is at fault. */
	readonly look?: 'error' | 'doubt' | 'inverse' | undefined;
	readonly icon?: IconName | undefined;
	/** Text for screen readers in place of the content. Used for content that counts seconds, which they would read again and again. */
	readonly announcement?: string | undefined;
	readonly children: ComponentChildren;
	readonly action?: ComponentChildren;
}

/** A message in the page. Screen readers read an error at once, and other messages when they are idle. */
export function Banner({ look, icon, announcement, children, action }: BannerProps) {
	const role = look === 'error' ? 'alert' : 'status';
	return (
		<div class={classNames('banner', look)}>
			{icon !== undefined && <Icon name={icon} />}
			{announcement !== undefined && (
				<span class="sr" role={role}>
					{announcement}
				</span>
			)}
			<div class="grow" role={announcement === undefined ? role : undefined}>
				{children}
			</div>
			{action}
		</div>
	);
}
