/** What the owner calls each receiver. */
export const receiverLabels: Record<string, string> = {
  sheet: 'Sheet',
  mail: 'Email to you',
  webhook: 'Webhook',
  acknowledgements: 'Acknowledgement to visitors',
  confirmations: 'Newsletter: emails that ask to confirm',
  newsletter: 'Newsletter: issues',
};
