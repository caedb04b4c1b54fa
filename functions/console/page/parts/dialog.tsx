import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The file is replaced by the look's own. */
export function Dialog({
	title,
	onClose,
	closeLabel,
	children,
}: {
	readonly title: string;
	readonly onClose: () => void;
	readonly closeLabel: string;
	readonly children: ComponentChildren;
}) {
	const ref = useRef<HTMLDialogElement>(null);
	useEffect(() => ref.current?.showModal(), []);
	return (
		<dialog ref={ref} onClose={onClose} aria-label={title}>
			{children}
			<button type="button" onClick={onClose}>
				{closeLabel}
			</button>
		</dialog>
	);
}
