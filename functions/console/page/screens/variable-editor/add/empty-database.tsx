import { session } from '#page/core/session.ts';
import { Button } from '#page/parts/button.tsx';
import { EmptyState } from '#page/parts/empty-state.tsx';
import { addText } from './add-texts.ts';

/** Shown while the database is empty. It says how to write samples to it. The address takes them only where the service runs on one machine. */
export function EmptyDatabase({ onRead }: { readonly onRead: () => void }) {
	const text = addText();
	const address = new URL(`api/v2/write?bucket=${encodeURIComponent(session.value?.database ?? '')}`, document.baseURI);
	// An apostrophe would end the quoted address in the shell.
	const quotable = address.href.replaceAll("'", '%27');
	return (
		<EmptyState icon="i-list" title={text.emptyTitle}>
			<p>{text.emptyText}</p>
			<pre class="command">{`curl -i '${quotable}' \\
  -H 'Authorization: Token TOKEN' \\
  --data-binary 'wells/1/level value=4.2'`}</pre>
			<p class="muted">{text.emptyOther}</p>
			<Button look="primary" icon="i-refresh" onClick={onRead}>
				{text.readAgain}
			</Button>
		</EmptyState>
	);
}
