/** What chats and social networks ask for. */
export const pictureSize = { width: 1200, height: 630 };
