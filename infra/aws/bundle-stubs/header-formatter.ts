/** Replaces `./HeaderFormatter`, with which the SDK signs the messages of event streams. No operation that the functions call streams events. */
export class HeaderFormatter {}
