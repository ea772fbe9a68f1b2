// Uses Tocsin through the Go SDK as its documentation says: the life of one heartbeat, whose findings are printed as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/opsgenie/opsgenie-go-sdk-v2/client"
	"github.com/opsgenie/opsgenie-go-sdk-v2/heartbeat"
	"github.com/sirupsen/logrus"
)

func must[T any](result T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return result
}

// Status and message of a refusal.
func refusal(err error) []any {
	var refused *client.ApiError
	if !errors.As(err, &refused) {
		return []any{fmt.Sprint(err)}
	}
	return []any{refused.StatusCode, refused.Message}
}

func switched(info *heartbeat.HeartbeatInfo) []any {
	return []any{info.Name, info.Enabled, info.Expired}
}

func main() {
	name := os.Args[1]
	ctx := context.Background()
	api := must(heartbeat.NewClient(&client.Config{
		ApiKey:         os.Getenv("TOCSIN_KEY"),
		OpsGenieAPIURL: client.ApiUrl(os.Getenv("TOCSIN_HOST")),
		LogLevel:       logrus.PanicLevel,
	}))
	disabled := false
	created := must(api.Add(ctx, &heartbeat.AddRequest{
		Name:          name,
		Description:   "nightly",
		Interval:      10,
		IntervalUnit:  heartbeat.Minutes,
		Enabled:       &disabled,
		AlertMessage:  "Backup is missing",
		AlertTag:      []string{"db"},
		AlertPriority: "P2",
	}))
	enabled := must(api.Enable(ctx, name))
	ping := must(api.Ping(ctx, name))
	updated := must(api.Update(ctx, &heartbeat.UpdateRequest{
		Name: name, Description: "daily", Interval: 2, IntervalUnit: heartbeat.Days,
	}))
	read := must(api.Get(ctx, name))
	listed := []string{}
	for _, one := range must(api.List(ctx)).Heartbeats {
		listed = append(listed, one.Name)
	}
	stopped := must(api.Disable(ctx, name))
	deleted := must(api.Delete(ctx, name))
	_, gone := api.Get(ctx, name)
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"created":  created.Heartbeat,
		"switched": [][]any{switched(enabled), switched(updated), switched(stopped)},
		"ping":     ping.Message,
		"read":     read.Heartbeat,
		"listed":   listed,
		"deleted":  deleted.Message,
		"gone":     refusal(gone),
	}))
}
