/** A mail as a transport sends it. */
export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends mails. Throws the error that prevents it. */
export interface MailTransport {
  send(mail: MailMessage): Promise<void>;
}
