import type { ContentBlock } from '@modelcontextprotocol/server';
import { fixtureTool, textResult, type FixtureTool } from './fixture-tool.js';
import { emptySound, redPixel } from './test-media.js';

const image: ContentBlock = { type: 'image', data: redPixel, mimeType: 'image/png' };

/** Tools that answer with each kind of content. */
export const contentTools: readonly FixtureTool[] = [
  fixtureTool('test_simple_text', 'Answers with a text', async () =>
    textResult('This is a simple text response for testing.'),
  ),
  fixtureTool('test_image_content', 'Answers with an image', async () => ({ content: [image] })),
  fixtureTool('test_audio_content', 'Answers with a sound', async () => ({
    content: [{ type: 'audio', data: emptySound, mimeType: 'audio/wav' }],
  })),
  fixtureTool('test_embedded_resource', 'Answers with a resource', async () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  })),
  fixtureTool('test_multiple_content_types', 'Answers with text, image and resource', async () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  })),
  fixtureTool('test_error_handling', 'Answers with an error', async () => ({
    ...textResult('This tool intentionally returns an error for testing'),
    isError: true,
  })),
];
