import { jsonOf, smsOf, textOf } from '#domain/alarm/notification-text.ts';
import { isoTime } from '#domain/calendar/iso-time.ts';
import type { Notification, NotifiedAlarm, ReportNotification } from '#domain/ports/notifier.ts';
import { reportJson, reportText } from '#domain/report/report-notification.ts';
import type { MessageAddress } from './message-address.ts';

/** How messages are written for an address: the bodies that are posted one after the other. */
export interface MessageFormat {
	/** Whether each alarm has a message of its own. */
	readonly isPerAlarm: boolean;
	readonly ofAlarms: (notification: Notification) => readonly object[];
	readonly ofReport: (notification: ReportNotification) => readonly object[];
}

/** Returns the format of an address. */
export function formatOf(address: MessageAddress): MessageFormat {
	switch (address.format) {
		case 'caudal':
			return {
				isPerAlarm: false,
				ofAlarms: (notification) => [{ text: textOf(notification), ...jsonOf(notification) }],
				ofReport: (notification) => [{ text: reportText(notification), ...reportJson(notification) }],
			};
		case 'slack':
			return chatFormat(slackBody);
		case 'teams':
			return chatFormat(teamsBody);
		case 'telegram':
			return chatFormat((message) => telegramBody(address.chatId, message));
		case 'pagerduty':
			return {
				isPerAlarm: true,
				ofAlarms: (notification) => notification.alarms.flatMap((alarm) => pagerDutyEvents(address, notification, alarm)),
				// Numbers of a report are no incident.
				ofReport: () => [],
			};
	}
}

/** A part of a message in a chat. */
interface ChatMessage {
	readonly text: string;
	readonly severity: Notification['severity'];
	/** Whether somebody has to act. */
	readonly isCall: boolean;
}

/**
 * Most UTF-16 units of one message: Telegram takes 4096 characters, Slack splits a text of more than 4000, and with its lines in UTF-8
 * a card stays below the 28 KB of Teams. A longer text goes on in the next message.
 */
const maxTextLength = 4000;

function chatFormat(bodyOf: (message: ChatMessage) => object): MessageFormat {
	const bodiesOf = (text: string, rest: Omit<ChatMessage, 'text'>) =>
		textParts(text).map((part) => bodyOf({ text: part, ...rest }));
	return {
		isPerAlarm: false,
		ofAlarms: (notification) => {
			const { kind, severity } = notification;
			return bodiesOf(textOf(notification), { severity, isCall: kind === 'raised' || kind === 'reminder' });
		},
		ofReport: (notification) => bodiesOf(reportText(notification), { severity: 'info', isCall: false }),
	};
}

/** Divides a text at line ends into parts of at most `maxTextLength`. */
function textParts(text: string): readonly string[] {
	if (text.length <= maxTextLength) return [text];
	const lineEnd = text.lastIndexOf('\n', maxTextLength);
	const end = lineEnd > 0 ? lineEnd : maxTextLength;
	return [text.slice(0, end), ...textParts(text.slice(end).replace(/^\n+/, ''))];
}

/** Slack: https://docs.slack.dev/messaging/formatting-message-text. Without `mrkdwn` signs in names are shown as they are. */
function slackBody({ text }: ChatMessage): object {
	const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
	return { text: escaped, mrkdwn: false };
}

/** The colours of cards that call somebody. */
const cardColours = { critical: 'Attention', warning: 'Warning', info: 'Accent' } as const;

/**
 * Workflows of Teams take a message with one Adaptive Card (https://adaptivecards.io/explorer/RichTextBlock.html). A text run is the element
 * without Markdown, so names are shown as they are; it has no line ends, so each line is a block.
 */
function teamsBody({ text, severity, isCall }: ChatMessage): object {
	const [headline = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '');
	const run = { type: 'TextRun', text: headline, weight: 'Bolder', color: isCall ? cardColours[severity] : 'Default' };
	const content = {
		$schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
		type: 'AdaptiveCard',
		version: '1.4',
		body: [
			{ type: 'RichTextBlock', inlines: [run] },
			...lines.map((line) => ({ type: 'RichTextBlock', spacing: 'None', inlines: [{ type: 'TextRun', text: line }] })),
		],
	};
	return {
		type: 'message',
		attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
	};
}

/** Telegram: https://core.telegram.org/bots/api#sendmessage. Without `parse_mode` signs in names are shown as they are. */
function telegramBody(chatId: number | string, { text, isCall }: ChatMessage): object {
	return { chat_id: chatId, text, disable_notification: !isCall, link_preview_options: { is_disabled: true } };
}

type PagerDutyAddress = Extract<MessageAddress, { readonly format: 'pagerduty' }>;

/** Most characters of the key of an incident. */
const maxKeyLength = 255;

/**
 * PagerDuty: https://developer.pagerduty.com/docs/send-alert-event. All events of an alarm have the same key, whatever its occurrence, so
 * that its end resolves the incident even if it was raised again before.
 */
function pagerDutyEvents(
	{ routingKey, severities }: PagerDutyAddress,
	{ schema, ...rest }: Notification,
	alarm: NotifiedAlarm,
): readonly object[] {
	const event = (action: 'trigger' | 'acknowledge' | 'resolve') => ({
		...{ routing_key: routingKey, event_action: action, dedup_key: `caudal/${alarm.id}/${schema}`.slice(0, maxKeyLength) },
	});
	if (alarm.kind === 'acknowledged') return [event('acknowledge')];
	// No incident begins for an alarm that was raised, is over and has another severity than the address wants.
	if (alarm.kind === 'cleared' || !severities.includes(alarm.severity)) return [event('resolve')];
	const one = { ...rest, schema, alarms: [alarm] };
	const payload = {
		summary: smsOf(one),
		source: schema,
		severity: alarm.severity,
		timestamp: isoTime(alarm.since),
		class: alarm.cause ?? 'condition',
		custom_details: jsonOf(one).alarms[0],
	};
	return [{ ...event('trigger'), client: 'Caudal', payload }, ...(alarm.cause === null ? [event('resolve')] : [])];
}
